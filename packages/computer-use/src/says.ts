/**
 * Classifies the text on and around a button in the supported languages, by word stems. Unsupported
 * languages count as dangerous.
 */

/** Stems for destroying, paying, committing, or reaching other people. */
const GRAVE: readonly string[] = [
  // English
  'delet|remov|eras|destroy|wip(?:e|ing)|purg|discard|terminat|deactivat|disabl|clos(?:e|ing|ure)|cancel|unsubscrib|withdraw|revok|reset',
  'leave|quit|pay|payment|purchas|buy|bought|order|check ?out|donat|transfer|wire|send|sent|post(?:s|ed|ing)?\\b|publish|tweet|share|invit|sell|bid(?:s|ding)?\\b|book(?:s|ed|ings?)?\\b|reserv|rent(?:s|al|ing)?\\b',
  'subscri|upgrad|downgrad|renew|charg|bill(?:s|ed|ing)?\\b|pric(?:e|ing)|fees?\\b|costs?\\b|total|agree|accept|consent|authori[sz]|approv|grant|sign(?! ?(?:in|on|up)\\b)|permanent|irrever',
  'undone|undo|los(?:e|es|t|ing)\\b|merge|deploy|shut|restart|reboot|kill|ban(?:s|ned)?\\b|block(?:s|ed|ing)?\\b|refund|invoice|irrevoc',
  // German
  'lösch|losch|loesch|entfern|vernicht|schließ|schliess|kündig|kuendig|storn|abbrech|abmeld|widerruf|zurücksetz|zuruecksetz|zahl|bezahl|kauf|bestell|überweis',
  'ueberweis|spende|absend|versend|verschick|veröffentlich|veroeffentlich|teilen\\b|buchen|buchung|gebucht|reservier|abonn|kosten|preis|gebühr|zustimm|akzeptier|annehm|einwillig',
  'unterschreib|endgültig|endgueltig|unwiderruf|verlier|verlass|rechnung|auftrag|sperr',
  // French
  'supprim|efface|effacer|détrui|detrui|fermer|fermeture|clôtur|clotur|annul|résili|resili|désabonn|desabonn|retir|révoqu|réinitialis|payer|paie|achet|acheter|achat',
  'command|virement|virer\\b|transfér|envoy|publier|publiez|partag|réserv|reserv|abonn|prix|frais|factur|accept|consen|signer|définitif|définitiv|irréver|vendre|quitter',
  // Spanish
  'elimin|borr|destru|cerrar|cierre|cancel|anul|baja\\b|retirar|retirada|revoc|restablec|pagar|pago|pague|comprar|compra\\b|compre\\b|pedid|transfer|enviar|envia\\b|envío|envíe|publicar|publique|compart|reserv|suscri|precio|coste|factur|acept',
  'consent|firmar|firme\\b|definitiv|irrever|vender|vende\\b|abandon',
  // Italian
  'elimin|cancell|rimuov|distrugg|chiud|chiusura|annull|disdi|disiscri|revoc|ripristin|paga|acquist|compra|ordin|bonific|trasfer|invia|inviare|pubblic|condivid',
  'prenot|abbon|prezz|costo|costi|fattur|accett|firma\\b|firmare|definitiv|irrever|vendi|vendere',
  // Portuguese
  'exclu|apag|remov|destru|fechar|encerr|cancel|anul|revog|redefin|pagar|pagamento|pague|comprar|compra\\b|encomend|pedid|transfer|enviar|envie\\b|publicar|publique|partilh|compartilh|reserv|assin|preç|cust|fatur',
  'aceit|concord|definitiv|irrever|vender',
  // Dutch
  'verwijder|wis(?:sen)?\\b|sluit|annuleer|opzeg|intrek|betaal|koop|bestel|overmak|verzend|verstuur|publiceer|delen\\b|boek(?:en|ing)?\\b|reserveer|abonneer|prijs|kosten|factuur|akkoord|accepteer|onderteken|definitief',
  // Polish
  'usuń|usun|skasuj|zamkn|anuluj|rezygn|wypis|zapłać|zaplac|płat|kup\\b|kupuj|kupić|zamów|zamow|przelew|przelej|wyślij|wyslij|opublik|udostępn|rezerw|subskr|cen[aęy]\\b|koszt|faktur|akcept|zgadz|podpis',
  // Swedish, Danish, Norwegian
  'radera|ta bort|slett|slet|fjern|stäng|luk\\b|lukke|avsluta|afslut|avslutt|avbryt|annuller|avboka|betal|köp|køb|kjøp|beställ|bestil|skicka|publicer|publiser|boka|bestill|pris\\b|godkän|godkend|godta|signer|överför|overfør',
  // Finnish, Czech, Turkish
  'poista|sulje|peruut|maksa|osta\\b|tilaa|lähet|julkais|varaa|hinta|hyväks|allekirj|smaz|odstran|zavř|zruš|zaplat|koup|objedn|odesl|odesla|poslat|zveřejn|rezerv|cena\\b|ceny\\b|souhlas|podeps',
  'sil\\b|silin|kaldır|kapat|iptal|öde|satın|sipariş|gönder|yayınla|paylaş|rezerv|abone|fiyat|ücret|kabul|onayl|imza|havale',
  // Russian, Ukrainian
  'удал|стер|стёр|очист|закр|отмен|отпис|отозв|сброс|оплат|плат|куп|заказ|перев|отправ|опублик|подел|бронир|подпис|цен|стоим|счет|счёт|принима|соглас|безвозврат|прода|видал|скасув|відправ|надісл|замов|купити',
];
/** Scripts without spaces between words: matched anywhere. */
const GRAVE_ANYWHERE =
  /削除|消去|退会|解約|取消|キャンセル|支払|購入|注文|送金|送信|投稿|公開|予約|料金|価格|同意|承認|閉鎖|删除|刪除|移除|清空|注销|註銷|关闭|關閉|取消|支付|付款|购买|購買|下单|訂購|订购|转账|轉帳|发送|發送|发布|發布|预订|價格|价格|同意|삭제|제거|탈퇴|해지|취소|결제|구매|주문|송금|전송|보내기|게시|예약|가격|동의/u;
/** Money, and amounts of it. */
const PRICED = /[$€£¥₹₽₩]|\b(?:usd|eur|gbp|chf|jpy)\b/i;

const GRAVE_WORD = new RegExp(`(?<!\\p{L})(?:${GRAVE.join('|')})`, 'iu');

/**
 * Button names that at worst save, find or show something. The whole name must match, without
 * filler words.
 */
const HARMLESS: ReadonlySet<string> = new Set(
  [
    'save|save changes|save settings|save contact|save profile|save note|submit|search|find|filter|next|next step|continue|go on|go|proceed|apply|apply filter|apply filters|ok|okay|done|finish|update|show|view|open|login|log in|log on|sign in|sign on|signin|sign up|register|create account|confirm|add|edit|refresh|reload|load more|show more|more|back|previous|start|select|choose|preview',
    'speichern|sichern|suchen|suche|finden|weiter|anwenden|fertig|aktualisieren|anzeigen|anmelden|einloggen|registrieren|bestätigen|hinzufügen|zurück',
    'enregistrer|sauvegarder|rechercher|chercher|suivant|continuer|valider|appliquer|terminer|afficher|connexion|se connecter|confirmer|ajouter|retour',
    'guardar|guardar cambios|buscar|siguiente|continuar|aplicar|terminar|mostrar|iniciar sesión|entrar|confirmar|añadir|volver|registrarse',
    'salva|salva modifiche|cerca|avanti|continua|applica|fine|mostra|accedi|conferma|aggiungi|indietro|registrati',
    'salvar|pesquisar|seguinte|próximo|concluir|iniciar sessão|adicionar|voltar',
    'opslaan|zoeken|volgende|doorgaan|toepassen|inloggen|aanmelden|bevestigen|toevoegen|terug|zapisz|szukaj|dalej|kontynuuj|zastosuj|zaloguj|zaloguj się|potwierdź|dodaj|wstecz',
    'spara|sök|nästa|fortsätt|logga in|bekräfta|gem|søg|næste|fortsæt|log ind|lagre|søk|neste|fortsett|logg inn|tallenna|hae|seuraava|jatka|kirjaudu|kirjaudu sisään|uložit|hledat|další|pokračovat|přihlásit|přihlásit se|kaydet|ara|ileri|devam|giriş yap',
    'сохранить|найти|поиск|далее|продолжить|применить|готово|войти|вход|зарегистрироваться|подтвердить|добавить|назад|зберегти|знайти|далі|увійти',
    '保存|検索|次へ|続行|ログイン|確認|登録|完了|搜索|下一步|继续|繼續|登录|登入|确定|確定|完成|저장|검색|다음|계속|로그인|확인|완료',
  ].flatMap((each) => each.split('|')),
);

/** Common words by which a supported language is recognised. */
const COMMON = new Set(
  (
    'the your and or to of for with this that is are in on at by you we please name first last full user username display email address phone city country date time message account settings profile password search sign log login in note notes town street title comment details information required all form page home help contact welcome almost there enter type thank about new number step task list filter results save submit next continue language value field field1 customer company view edit language ' +
    'der die das und oder für mit ihr ihre ihren sie bitte name vorname nachname benutzername passwort adresse ort stadt land datum nachricht konto einstellungen straße seite suche kontakt ' +
    'le la les des et ou pour avec votre vos nom prénom mot de passe adresse ville pays date compte paramètres recherche ' +
    'el los las un una y para con su sus nombre apellido contraseña correo dirección ciudad país fecha cuenta buscar ' +
    'il lo gli e per con tuo nome cognome indirizzo città paese data cerca ' +
    'os as um uma com seu sua senha endereço cidade país conta ' +
    'het een en voor met uw naam wachtwoord adres stad land datum zoeken ' +
    'och eller för med din ditt namn lösenord adress navn adgangskode passord ' +
    'nazwa imię nazwisko hasło adres miasto kraj data oraz dla twoje szukaj ja nimi salasana osoite jméno heslo adresa ve için ad soyad şifre adres ' +
    'и или для ваш ваше имя фамилия пароль адрес город страна дата поиск та або ваша ім’я'
  ).split(' '),
);
const COVERED = new Set(
  'en de fr es it pt nl pl sv da nb nn no fi cs tr ru uk ja zh ko'.split(' '),
);
const COVERED_LETTERS =
  /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Common}\p{Script=Inherited}]*$/u;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** One word in this many must be known for a text to count as a supported language. */
const KNOWN_SHARE = 6;

const normal = (name: string): string =>
  (name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');

/** Whether the text is in a supported language. */
function isCovered(text: string, language: string): boolean {
  if (language !== '' && !COVERED.has(language.toLowerCase().split('-', 1)[0]!)) return false;
  if (!COVERED_LETTERS.test(text)) return false;
  if (UNSPACED.test(text)) return true;
  const words = text.toLowerCase().match(/\p{L}{2,}/gu) ?? [];
  const known = words.filter((word) => COMMON.has(word)).length;
  return known > 0 && known * KNOWN_SHARE >= words.length;
}

/**
 * Whether a button, its headings and its form mention nothing destructive, priced or binding, in a
 * supported language.
 */
export function isHarmless(
  name: string,
  { says, language }: { says: string; language: string },
): boolean {
  if (!HARMLESS.has(normal(name))) return false;
  return (
    !GRAVE_WORD.test(says) &&
    !GRAVE_ANYWHERE.test(says) &&
    !PRICED.test(says) &&
    isCovered(says, language)
  );
}
/** Words for submitting, in the agent's text or in a button's name. */
const SUBMIT =
  /\b(?:submit|sign[ -]?(?:in|up)|log[ -]?(?:in|on)|register|save|confirm|continue|next|proceed|apply|send|search|go|ok|finish|create account|check ?out|buy|order|pay|book|subscribe|join|update|publish|post)\b/i;

/** Submit words that count inside a sentence. Weaker ones (`next to`, `go to`) do not. */
const SUBMIT_IN_PROSE =
  /\b(?:submit(?:s|ted|ting)?|sign(?:ing)?[ -]?(?:in|up)|log(?:ging)?[ -]?(?:in|on)|register(?:ing)?|sav(?:e|ing)|confirm(?:ing)?|continue|proceed|send(?:ing)?|check ?out)\b/i;

/** Button names whose click should have a visible effect, which is checked. */
const HIGH_RISK =
  /\b(?:submit|confirm|buy|pay|send|delete|remove|save|order|check ?out|transfer|publish|sign[ -]?(?:in|up)|log[ -]?in|register|continue)\b/i;

export const isSubmitName = (name: string): boolean => SUBMIT.test(name);
export const isSubmitReasoning = (reasoning: string): boolean => SUBMIT_IN_PROSE.test(reasoning);
export const isHighRisk = (name: string): boolean => HIGH_RISK.test(name);

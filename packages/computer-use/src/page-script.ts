/** Runs in the page: the innermost focused element, through shadow roots and same-site frames. */
export const FOCUSED = `() => {
  let at = document.activeElement;
  for (;;) {
    if (at && at.shadowRoot && at.shadowRoot.activeElement) at = at.shadowRoot.activeElement;
    else if (at && at.tagName === 'IFRAME') {
      try { if (!at.contentDocument || !at.contentDocument.activeElement) return at; at = at.contentDocument.activeElement; } catch { return at; }
    } else return at;
  }
}`;

/**
 * Runs in the page, as text because the library has no DOM types and a bundler must not change it.
 * Returns a `PageReport`. Changes nothing.
 */
export const PAGE_SCRIPT = `(point, hide) => {
  const TEXT_TYPES = ['text', 'email', 'password', 'search', 'tel', 'url', 'number', 'date', 'time', 'month', 'week', 'datetime-local', 'color', 'range', ''];
  const squeeze = (text) => (text || '').replace(/\\s+/g, ' ').trim().slice(0, 120);
  const offset = (node) => {
    let x = 0, y = 0;
    for (let view = node.ownerDocument.defaultView; view && view !== window; view = view.parent) {
      const frame = view.frameElement.getBoundingClientRect();
      x += frame.x + view.frameElement.clientLeft; y += frame.y + view.frameElement.clientTop;
    }
    return { x, y };
  };
  const middle = (node) => {
    const box = node.getBoundingClientRect();
    const { x, y } = offset(node);
    return { x: Math.round(x + box.x + box.width / 2), y: Math.round(y + box.y + box.height / 2) };
  };
  const shown = (node) => {
    const box = node.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && getComputedStyle(node).visibility !== 'hidden';
  };
  const labelOf = (node) => {
    const doc = node.ownerDocument;
    const named = (node.getAttribute('aria-labelledby') || '').split(/\\s+/).map((id) => id && doc.getElementById(id)).filter(Boolean);
    if (named.length > 0) return squeeze(named.map((each) => each.textContent).join(' '));
    if (node.getAttribute('aria-label')) return squeeze(node.getAttribute('aria-label'));
    if (node.labels && node.labels.length > 0) return squeeze([...node.labels].map((each) => each.innerText).join(' '));
    return '';
  };
  const roleOf = (node) => {
    const given = node.getAttribute('role');
    if (given) return given;
    const tag = node.tagName.toLowerCase();
    if (tag === 'a') return node.hasAttribute('href') ? 'link' : '';
    if (tag === 'button' || tag === 'summary') return 'button';
    if (tag === 'select') return 'combobox';
    if (tag === 'option') return 'option';
    if (tag === 'textarea' || node.isContentEditable) return 'textbox';
    if (tag !== 'input') return '';
    if (['submit', 'button', 'image', 'reset'].includes(node.type)) return 'button';
    return node.type === 'checkbox' || node.type === 'radio' ? node.type : 'textbox';
  };
  const nameOf = (node) => {
    const label = labelOf(node);
    if (label) return label;
    const tag = node.tagName.toLowerCase();
    if (tag === 'input' && roleOf(node) === 'button') return squeeze(node.value || node.alt || (node.type === 'submit' ? 'Submit' : ''));
    if (tag === 'input' || tag === 'textarea' || tag === 'select') return squeeze(node.placeholder || node.title || node.name || node.id);
    return squeeze(node.innerText || node.textContent || node.title || (node.querySelector('img[alt]') || {}).alt);
  };
  /** The text in front of an unlabelled field, or in the table cell before it. */
  const textBefore = (node) => {
    for (let at = node, level = 0; at && level < 3; at = at.parentElement, level++) {
      for (let other = at.previousSibling; other; other = other.previousSibling) {
        if (other.nodeType === 1 && (other.matches('input,select,textarea,button,form,script,style') || other.querySelector('input,select,textarea,button'))) return '';
        const text = squeeze(other.textContent);
        if (text) return text.length <= 60 && !/^H[1-6]$/.test(other.nodeName) ? text : '';
      }
      if (at.parentElement && at.parentElement.matches('form,body,fieldset,main,section')) return '';
    }
    return '';
  };
  const visibleLabelOf = (node) => {
    if (node.labels && node.labels.length > 0) return squeeze([...node.labels].map((each) => each.innerText).join(' '));
    return node.getAttribute('aria-labelledby') ? labelOf(node) : textBefore(node);
  };
  const formOf = (node) => node.form || (node.closest && node.closest('form'));
  const fieldOf = (node) => {
    if (!node || !node.tagName) return null;
    const tag = node.tagName.toLowerCase();
    const takesText = tag === 'textarea' || tag === 'select' || node.isContentEditable || (tag === 'input' && TEXT_TYPES.includes(node.type));
    if (!takesText || node.disabled || node.readOnly) return null;
    const held = tag === 'select' ? (node.value ? (node.selectedOptions[0] || {}).label : '') : 'value' in node ? node.value : node.textContent;
    const forms = [...node.ownerDocument.forms];
    return {
      label: visibleLabelOf(node), accessible: squeeze(node.getAttribute('aria-label') || node.title), name: node.name || '', placeholder: node.placeholder || '', id: node.id || '',
      type: node.type || (node.isContentEditable ? 'editable' : ''),
      value: node.type === 'password' ? '' : String(held || '').slice(0, 2000), empty: !held, form: forms.indexOf(formOf(node)), ...middle(node),
    };
  };
  const submits = (node) => {
    const tag = node.tagName.toLowerCase();
    if (!formOf(node)) return false;
    return (tag === 'button' && node.type === 'submit') || (tag === 'input' && (node.type === 'submit' || node.type === 'image'));
  };
  const submitOf = (form) => form && [...form.elements].find((node) => submits(node) && !node.disabled && shown(node));
  // The button that Return activates in this form, even if it is hidden or disabled.
  const defaultOf = (form) => form && [...form.elements].find(submits);
  const elementAt = ({ x, y }) => {
    let node = document.elementFromPoint(x, y), left = x, top = y;
    for (;;) {
      if (node && node.shadowRoot) {
        const deeper = node.shadowRoot.elementFromPoint(left, top);
        if (!deeper || deeper === node) break;
        node = deeper;
      } else if (node && node.tagName === 'IFRAME') {
        const box = node.getBoundingClientRect();
        let deeper = null;
        try { deeper = node.contentDocument && node.contentDocument.elementFromPoint(left - box.x - node.clientLeft, top - box.y - node.clientTop); } catch {}
        if (!deeper) break;
        left -= box.x + node.clientLeft; top -= box.y + node.clientTop; node = deeper;
      } else break;
    }
    return node;
  };
  const BUTTON = 'a[href],button,summary,input[type=submit],input[type=button],input[type=image],input[type=reset],[role=button],[role=link],[role=menuitem]';
  const every = (root, selector, found = []) => {
    for (const node of root.querySelectorAll('*')) {
      if (node.matches(selector)) found.push(node);
      if (node.shadowRoot) every(node.shadowRoot, selector, found);
      if (node.tagName === 'IFRAME') { try { if (node.contentDocument) every(node.contentDocument, selector, found); } catch {} }
    }
    return found;
  };
  const ACTIVE = 'a[href],button,input,select,textarea,summary,option,label,[role],[onclick],[contenteditable=""],[contenteditable=true],[tabindex]';
  const activeAt = (node) => {
    const found = node && node.closest(ACTIVE);
    return found && found.tagName === 'LABEL' ? found.control || found : found;
  };
  const isOpaque = (node) => node.tagName === 'IFRAME' || (node.tagName.includes('-') && !node.shadowRoot && node.childElementCount === 0 && !squeeze(node.textContent));
  const targetOf = (node, focus) => {
    if (!node) return null;
    const active = activeAt(node);
    const found = active || node;
    return {
      role: roleOf(found), name: active ? nameOf(found) : '', submits: submits(found), interactive: active !== null, opaque: isOpaque(found),
      focused: found === focus, field: fieldOf(found), cover: active ? '' : squeeze((node.closest('[id],[class],[role]') || node).innerText || '').slice(0, 40),
    };
  };
  const isEmpty = (node) => node.type === 'checkbox' || node.type === 'radio' ? !node.checked : 'value' in node ? !node.value : !squeeze(node.textContent);
  const PAYMENT = /(?:^|[^a-z])(?:card|cc|cvc|cvv|iban|account.?number)(?:[^a-z]|$)/i;
  const isSecret = (node) => node.type === 'password' || /^cc-|one-time-code|password/.test(node.getAttribute('autocomplete') || '')
    || PAYMENT.test([node.name, node.id, node.placeholder, labelOf(node)].join(' '));
  const SCOPE = 'form,[role=form],dialog,[role=dialog],[role=alertdialog]';
  const HEADING = 'h1,h2,h3,h4,h5,h6,legend,caption,[role=heading]';
  /** What pressing this element would do, as far as its surroundings show. */
  const surroundingsOf = (node) => {
    const doc = node.ownerDocument;
    const root = node.getRootNode();
    const form = formOf(node);
    const around = node.closest('dialog,[role=dialog],[role=alertdialog]') || form || node.closest(SCOPE) || (root.host ? root.host : doc.body);
    const fields = (form ? [...form.elements] : [...around.querySelectorAll('input,select,textarea,[contenteditable],[aria-required]')]).filter((each) => !submits(each));
    const wanting = (each) => each.required || each.getAttribute('aria-required') === 'true' || each.getAttribute('aria-invalid') === 'true' || /\\*\\s*$/.test(labelOf(each));
    const radio = (each) => each.type === 'radio' && each.name && fields.some((other) => other.type === 'radio' && other.name === each.name && other.checked);
    const missing = fields.filter((each) => !radio(each) && ((wanting(each) && (isEmpty(each) || each.getAttribute('aria-invalid') === 'true')) || (each.matches && each.matches(':invalid'))));
    const secrets = fields.filter((each) => shown(each) && isEmpty(each) && isSecret(each));
    const foreign = [...around.querySelectorAll('iframe')].some((frame) => { try { return shown(frame) && !frame.contentDocument; } catch { return true; } });
    const target = node.getAttribute('formaction') || (form && form.getAttribute('action')) || node.getAttribute('href') || '';
    let same = true;
    try { same = !target || new URL(target, doc.baseURI).origin === new URL(doc.baseURI).origin; } catch { same = false; }
    const path = (() => { try { return new URL(target || '', doc.baseURI).pathname; } catch { return ''; } })();
    const inside = (around.innerText || around.textContent || '').replace(/\\s+/g, ' ').slice(0, 4000);
    const before = [...doc.querySelectorAll(HEADING)].filter((each) => shown(each)).map((each) => each.innerText).slice(0, 12);
    return {
      says: [nameOf(node), node.value || '', node.title || '', node.getAttribute('aria-description') || '', doc.title, ...before, inside, form ? (form.getAttribute('name') || '') + ' ' + (form.getAttribute('id') || '') : '', path.replace(/[^A-Za-z]+/g, ' ')].join(' \\n '),
      language: (node.closest('[lang]') || doc.documentElement).lang || '',
      blocked: missing.length > 0 ? 'a required field is empty' : secrets.length > 0 ? 'a password or payment field is empty' : foreign ? 'part of the form is in a frame of another site' : same ? '' : 'it leads to another site',
    };
  };
  /** What Return would activate now. */
  const returnOf = (focus, aimed) => {
    if (!focus || focus === document.body || !focus.tagName) return null;
    const button = focus.matches(BUTTON) ? focus : null;
    const field = button ? null : fieldOf(focus);
    if (!button && !field) return null;
    if (field && (focus.tagName === 'TEXTAREA' || focus.isContentEditable)) return null;
    const form = formOf(focus);
    const pressed = button || defaultOf(form) || null;
    const about = pressed || focus;
    return {
      inField: field !== null, name: pressed ? nameOf(pressed) : '',
      aimed: pressed ? pressed === aimed || pressed.contains(aimed) : aimed !== null && form !== null && formOf(aimed) === form && aimed.matches(BUTTON),
      ...surroundingsOf(about),
    };
  };
  const CHALLENGE = /captcha|turnstile|security challenge|are you (?:a )?human|\\/challenge\\b/i;
  const WALL_TITLE = /^(?:just a moment|attention required|access denied|are you (?:a )?(?:human|robot)|verify you are human|security check)/i;
  const said = document.body ? document.body.innerText : '';
  const root = document.documentElement;
  const active = (${FOCUSED})();
  const aimedAt = point ? elementAt(point) : null;
  const forms = [...document.forms].filter((form) => [...form.elements].some((each) => fieldOf(each) && shown(each)));
  const submit = submitOf(active && fieldOf(active) ? formOf(active) : null) || (forms.length === 1 ? submitOf(forms[0]) : null);
  const secret = 'input[type=password], input[autocomplete~=current-password], input[autocomplete~=new-password], input[autocomplete~=cc-csc], input[autocomplete~=one-time-code]';
  const hidden = new Set(hide);
  const boxes = every(document, 'input, textarea').filter((node) => shown(node) && (node.matches(secret) || hidden.has(node.name) || hidden.has(node.id)));
  // All text and field values, including those out of sight.
  let dom = 0x811c9dc5;
  const add = (text) => { for (let i = 0; i < text.length; i++) dom = Math.imul(dom ^ text.charCodeAt(i), 0x01000193); };
  add(said);
  for (const node of every(document, 'input, select, textarea, [aria-expanded], [aria-checked], [aria-selected], [aria-pressed]'))
    add([node.type === 'password' ? String(node.value).length : node.value, node.checked, node.getAttribute('aria-expanded'), node.getAttribute('aria-checked'), node.getAttribute('aria-selected'), node.getAttribute('aria-pressed')].join());
  return {
    url: location.href,
    viewport: { width: window.innerWidth, height: window.innerHeight },
    below: Math.max(0, Math.round(root.scrollHeight - window.innerHeight - window.scrollY)),
    scroll: Math.round(window.scrollX) + ' ' + Math.round(window.scrollY),
    busy: document.readyState !== 'complete' || [...document.querySelectorAll('progress:not([value="0"]), [role=progressbar], [aria-busy=true]')].some(shown),
    focused: fieldOf(active),
    hiddenFocus: active && active !== document.body && isOpaque(active),
    target: targetOf(aimedAt, active),
    returns: point ? returnOf(active, activeAt(aimedAt)) : null,
    submit: submit ? { ...middle(submit), name: nameOf(submit), form: [...submit.ownerDocument.forms].indexOf(submit.form), ...surroundingsOf(submit) } : null,
    passwords: boxes.map((node) => {
      const { x, y, width, height } = node.getBoundingClientRect();
      const from = offset(node);
      return [from.x + x, from.y + y, width, height];
    }),
    wall: [...document.querySelectorAll('iframe')].some((frame) => shown(frame) && CHALLENGE.test(frame.title + ' ' + frame.src)) && said.length < 2000
      || WALL_TITLE.test(document.title) && said.length < 1500,
    text: said.slice(0, 20000),
    dom: dom >>> 0,
  };
}`;

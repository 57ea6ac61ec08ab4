/**
 * Runs in the page, so it is text and not a function: the library knows no DOM, and a bundler must not touch it.
 * Gives a `PageReport`. It changes nothing.
 */
export const PAGE_SCRIPT = `(point) => {
  const TEXT_TYPES = ['text', 'email', 'password', 'search', 'tel', 'url', 'number', ''];
  const squeeze = (text) => (text || '').replace(/\\s+/g, ' ').trim().slice(0, 120);
  const inner = (node) => {
    let at = node;
    while (at) {
      if (at.shadowRoot && at.shadowRoot.activeElement) at = at.shadowRoot.activeElement;
      else if (at.tagName === 'IFRAME') {
        try { if (!at.contentDocument || !at.contentDocument.activeElement) return at; at = at.contentDocument.activeElement; } catch { return at; }
      } else return at;
    }
    return at;
  };
  const offset = (node) => {
    let x = 0, y = 0;
    for (let view = node.ownerDocument.defaultView; view && view !== window; view = view.parent) {
      const frame = view.frameElement.getBoundingClientRect();
      x += frame.x; y += frame.y;
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
  const formOf = (node) => node.form || (node.closest && node.closest('form'));
  const fieldOf = (node) => {
    if (!node || !node.tagName) return null;
    const tag = node.tagName.toLowerCase();
    const takesText = tag === 'textarea' || tag === 'select' || node.isContentEditable || (tag === 'input' && TEXT_TYPES.includes(node.type));
    if (!takesText || node.disabled || node.readOnly) return null;
    const held = tag === 'select' ? (node.value ? (node.selectedOptions[0] || {}).label : '') : 'value' in node ? node.value : node.textContent;
    const forms = [...node.ownerDocument.forms];
    return {
      label: labelOf(node), name: node.name || '', placeholder: node.placeholder || '', id: node.id || '',
      type: node.type || (node.isContentEditable ? 'editable' : ''), purpose: node.getAttribute('autocomplete') || '',
      value: node.type === 'password' ? '' : String(held || '').slice(0, 2000), empty: !held, form: forms.indexOf(formOf(node)), ...middle(node),
    };
  };
  const submits = (node) => {
    const tag = node.tagName.toLowerCase();
    if (!formOf(node)) return false;
    return (tag === 'button' && node.type === 'submit') || (tag === 'input' && (node.type === 'submit' || node.type === 'image'));
  };
  const submitOf = (form) => form && [...form.elements].find((node) => submits(node) && !node.disabled && shown(node));
  const ACTIVE = 'a[href],button,input,select,textarea,summary,option,label,[role],[onclick],[contenteditable=""],[contenteditable=true],[tabindex]';
  const targetAt = ({ x, y }) => {
    let node = document.elementFromPoint(x, y), left = x, top = y;
    for (;;) {
      if (node && node.shadowRoot) {
        const deeper = node.shadowRoot.elementFromPoint(left, top);
        if (!deeper || deeper === node) break;
        node = deeper;
      } else if (node && node.tagName === 'IFRAME') {
        const box = node.getBoundingClientRect();
        let deeper = null;
        try { deeper = node.contentDocument && node.contentDocument.elementFromPoint(left - box.x, top - box.y); } catch {}
        if (!deeper) break;
        left -= box.x; top -= box.y; node = deeper;
      } else break;
    }
    if (!node) return null;
    let active = node.closest(ACTIVE) || null;
    if (active && active.tagName === 'LABEL') active = active.control || active;
    const found = active || node;
    const form = formOf(found);
    const submit = submitOf(form);
    return {
      role: roleOf(found), name: active ? nameOf(found) : '', submits: submits(found), interactive: active !== null,
      field: fieldOf(found), formSubmit: submit ? nameOf(submit) : '',
    };
  };
  const CHALLENGE = /captcha|turnstile|security challenge|are you (?:a )?human|\\/challenge\\b/i;
  const WALL_TITLE = /^(?:just a moment|attention required|access denied|are you (?:a )?(?:human|robot)|verify you are human|security check)/i;
  const said = document.body ? document.body.innerText : '';
  const root = document.documentElement;
  const active = inner(document.activeElement);
  const forms = [...document.forms].filter((form) => shown(form) && [...form.elements].some(fieldOf));
  const submit = submitOf(active && fieldOf(active) ? formOf(active) : null) || (forms.length === 1 ? submitOf(forms[0]) : null);
  const secret = 'input[type=password], input[autocomplete~=current-password], input[autocomplete~=new-password], input[autocomplete~=cc-csc], input[autocomplete~=one-time-code]';
  return {
    url: location.href,
    viewport: { width: window.innerWidth, height: window.innerHeight },
    below: Math.max(0, Math.round(root.scrollHeight - window.innerHeight - window.scrollY)),
    scroll: Math.round(window.scrollX) + ' ' + Math.round(window.scrollY),
    busy: document.readyState !== 'complete' || [...document.querySelectorAll('progress:not([value="0"]), [role=progressbar], [aria-busy=true]')].some(shown),
    focused: fieldOf(active),
    target: point ? targetAt(point) : null,
    submit: submit ? { ...middle(submit), name: nameOf(submit), form: [...submit.ownerDocument.forms].indexOf(submit.form) } : null,
    passwords: [...document.querySelectorAll(secret)].filter(shown).map((node) => {
      const { x, y, width, height } = node.getBoundingClientRect();
      return [x, y, width, height];
    }),
    wall: [...document.querySelectorAll('iframe')].some((frame) => shown(frame) && CHALLENGE.test(frame.title + ' ' + frame.src)) && said.length < 2000
      || WALL_TITLE.test(document.title) && said.length < 1500,
    text: said.slice(0, 20000),
  };
}`;

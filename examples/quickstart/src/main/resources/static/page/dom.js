// Small tools for the document. Text goes in as text: nothing here reads markup, so nothing that a service answers can become some.

const SVG = 'http://www.w3.org/2000/svg';

/** What the page's own markup has under this id. */
export function byId(id) {
  return document.getElementById(id);
}

/** An element with these attributes and children; a string is a child as text. */
export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** The same for a picture. */
export function svgElement(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

/** Says it to the eye and to screen readers, which are told of a change in this line. */
export function announce(text) {
  byId('status').textContent = text;
}

/** Runs the task of a button, which cannot be pressed again meanwhile and keeps the focus. */
export function onPress(button, task) {
  button.addEventListener('click', async () => {
    if (button.getAttribute('aria-disabled') === 'true') {
      return;
    }
    // "disabled" would take the focus away from who works with the keyboard.
    button.setAttribute('aria-disabled', 'true');
    try {
      await task();
    } finally {
      button.removeAttribute('aria-disabled');
    }
  });
}

const TIME = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const DAY_AND_TIME = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** The time of day, with the day where it is another one than today. */
export function clock(date) {
  const isToday = date.toDateString() === new Date().toDateString();
  return (isToday ? TIME : DAY_AND_TIME).format(date);
}

/** The middle one of some numbers; not a number where there are none. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted.length === 0 ? Number.NaN : sorted[Math.floor(sorted.length / 2)];
}

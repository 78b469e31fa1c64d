'use strict';
// The menu of narrow screens, and a search over the index that was made with the site. Without this script all pages can be read.

const query = document.getElementById('query');
const found = document.getElementById('found');
const root = document.body.dataset.root;
const MOST = 12;
let chosen = -1;

const openMenu = document.getElementById('open-menu');
openMenu.addEventListener('click', () => {
  const open = document.getElementById('menu').classList.toggle('open');
  openMenu.setAttribute('aria-expanded', String(open));
});
document.querySelector('#menu [aria-current]')?.scrollIntoView({ block: 'center' });
window.scrollTo({ top: location.hash ? window.scrollY : 0 });

const sections = (window.latchkeyIndex ?? []).map(([page, link, title, text]) => ({
  page, link, title, text, titleLow: title.toLowerCase(), pageLow: page.toLowerCase(), low: text.toLowerCase(),
}));

// How well a section fits a word; 0 if it does not. What stands in a title counts most, and a word that begins so more than one within.
function weight(section, word) {
  const begins = (text) => text.startsWith(word) || text.includes(' ' + word) || text.includes('.' + word);
  if (section.titleLow.includes(word)) return begins(section.titleLow) ? 12 : 6;
  if (section.pageLow.includes(word)) return begins(section.pageLow) ? 6 : 3;
  const times = section.low.split(word).length - 1;
  return times === 0 ? 0 : Math.min(3, times) * (begins(section.low) ? 1 : 0.4);
}

function search(text) {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word.length > 1);
  if (words.length === 0) return null;
  const weighed = sections.map((section) => {
    const weights = words.map((word) => weight(section, word));
    return { section, words, weight: weights.includes(0) ? 0 : weights.reduce((a, b) => a + b) };
  });
  return weighed.filter((hit) => hit.weight > 0).sort((a, b) => b.weight - a.weight).slice(0, MOST);
}

// The text around the first word, which is marked.
function excerpt({ section, words }) {
  const small = document.createElement('small');
  const at = Math.max(0, ...words.map((word) => section.low.indexOf(word)).slice(0, 1));
  const begin = Math.max(0, section.text.lastIndexOf(' ', Math.max(0, at - 40)));
  const rest = section.text.slice(begin, begin + 150);
  const shown = begin + 150 < section.text.length ? rest.slice(0, rest.lastIndexOf(' ')) + ' …' : rest;
  const where = shown.toLowerCase().indexOf(words[0]);
  if (where < 0) {
    small.textContent = shown;
  } else {
    const mark = document.createElement('mark');
    mark.textContent = shown.slice(where, where + words[0].length);
    small.append(shown.slice(0, where), mark, shown.slice(where + words[0].length));
  }
  return small;
}

function item(hit, number) {
  const line = document.createElement('li');
  line.role = 'option';
  line.id = 'found-' + number;
  const link = document.createElement('a');
  link.href = root + hit.section.link;
  link.tabIndex = -1;
  const title = document.createElement('b');
  title.textContent = hit.section.title === hit.section.page ? hit.section.page : hit.section.title + ' · ' + hit.section.page;
  link.append(title, excerpt(hit));
  line.append(link);
  return line;
}

function show() {
  const hits = search(query.value);
  chosen = -1;
  query.removeAttribute('aria-activedescendant');
  found.hidden = hits === null;
  query.setAttribute('aria-expanded', String(hits !== null));
  if (hits === null) return;
  const none = document.createElement('li');
  none.className = 'none';
  none.textContent = 'Nothing has all of these words.';
  found.replaceChildren(...(hits.length > 0 ? hits.map(item) : [none]));
}

function choose(next) {
  const items = [...found.querySelectorAll('[role=option]')];
  if (items.length === 0) return;
  items[chosen]?.removeAttribute('aria-selected');
  chosen = (next + items.length) % items.length;
  items[chosen].setAttribute('aria-selected', 'true');
  items[chosen].scrollIntoView({ block: 'nearest' });
  query.setAttribute('aria-activedescendant', items[chosen].id);
}

function close() {
  found.hidden = true;
  query.setAttribute('aria-expanded', 'false');
}

query.addEventListener('input', show);
query.addEventListener('focus', show);
query.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    choose(event.key === 'ArrowDown' ? chosen + 1 : chosen < 0 ? -1 : chosen - 1);
  } else if (event.key === 'Enter') {
    found.querySelectorAll('a')[Math.max(0, chosen)]?.click();
    close();
  } else if (event.key === 'Escape') {
    close();
    query.blur();
  }
});
document.addEventListener('click', (event) => {
  if (!event.target.closest('search')) close();
});
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !/^(INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '')) {
    event.preventDefault();
    query.focus();
  }
});

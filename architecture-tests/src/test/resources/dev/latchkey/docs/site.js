'use strict';
// The menu of narrow screens, the theme, coloured code with a button to copy, and a search over the site's index.
// Without this script all pages can be read.

const query = document.getElementById('query');
const found = document.getElementById('found');
const root = document.body.dataset.root;
const words = document.body.dataset;
const MOST = 12;
let chosen = -1;
const choices = [];

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

// How well a section fits a word; 0 if the section does not have the word. A title counts most, and the beginning of a word more than its middle.
function weight(section, word) {
  const begins = (text) => text.startsWith(word) || text.includes(' ' + word) || text.includes('.' + word);
  if (section.titleLow.includes(word)) return begins(section.titleLow) ? 12 : 6;
  if (section.pageLow.includes(word)) return begins(section.pageLow) ? 6 : 3;
  const times = section.low.split(word).length - 1;
  return times === 0 ? 0 : Math.min(3, times) * (begins(section.low) ? 1 : 0.4);
}

// All words of all pages, made at the first need.
let vocabulary;
function allWords() {
  vocabulary ??= [...new Set(sections.flatMap((section) => (section.titleLow + ' ' + section.low).match(/[a-z]{4,}/g) ?? []))];
  return vocabulary;
}

// The number of inserted, removed, changed and swapped letters between two words; more than `most` counts as infinite.
function distance(a, b, most) {
  if (Math.abs(a.length - b.length) > most) return Infinity;
  let before = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    if (Math.min(...row) > most) return Infinity;
    before = last;
    last = row;
  }
  return last[b.length];
}

// The word itself if some page has it, otherwise the most similar word of the pages.
function nearest(word) {
  if (word.length < 4 || sections.some((section) => weight(section, word) > 0)) return word;
  let least = word.length < 8 ? 1 : 2;
  let found = word;
  for (const known of allWords()) {
    const away = distance(word, known, least);
    if (away < least || (away === least && found === word)) {
      least = away;
      found = known;
    }
  }
  return found;
}

// Sections with all words come first, then those with fewer.
function search(text) {
  const typed = text.toLowerCase().split(/\s+/).filter((word) => word.length > 1 || /[^\x00-\x7f]/.test(word));
  if (typed.length === 0) return null;
  const wanted = typed.map(nearest);
  const weighed = sections.map((section) => {
    const weights = wanted.map((word) => weight(section, word));
    const found = weights.filter((each) => each > 0).length;
    return { section, words: wanted, found, weight: weights.reduce((a, b) => a + b) };
  });
  const hits = weighed.filter((hit) => hit.found > 0).sort((a, b) => b.found - a.found || b.weight - a.weight).slice(0, MOST);
  return { hits, similar: wanted.join(' ') === typed.join(' ') ? null : wanted.join(' ') };
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

function note(text) {
  const line = document.createElement('li');
  line.className = 'none';
  line.textContent = text;
  return line;
}

function show() {
  const result = search(query.value);
  chosen = -1;
  query.removeAttribute('aria-activedescendant');
  found.hidden = result === null;
  query.setAttribute('aria-expanded', String(result !== null));
  if (result === null) return;
  const items = result.hits.map(item);
  if (items.length === 0) items.push(note(words.nothing));
  if (result.similar) items.unshift(note(words.similar + ' ' + result.similar));
  found.replaceChildren(...items);
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

const theme = document.getElementById('theme');
theme.value = document.documentElement.dataset.theme;
theme.addEventListener('change', () => {
  localStorage.setItem('theme', theme.value);
  document.documentElement.dataset.theme = theme.value;
});

document.querySelectorAll('.code').forEach((block) => {
  const code = block.querySelector('code');
  const text = code.textContent;
  window.hljs?.highlightElement(code);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = words.copy;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = words.copied;
    setTimeout(() => { button.textContent = words.copy; }, 2000);
  });
  block.append(button);
});

// Code blocks that follow each other in two languages are one block with a choice. The choice holds for all pages.
const PAIRS = { java: 'kotlin', xml: 'kotlin' };
const NAMES = { java: 'Java', xml: 'Maven' };
const OTHER = { java: 'Kotlin', xml: 'Gradle' };
document.querySelectorAll('.code').forEach((first) => {
  const second = first.nextElementSibling;
  const kind = first.dataset.language;
  if (!second?.matches('.code') || PAIRS[kind] !== second.dataset.language) return;
  const tabs = document.createElement('div');
  tabs.className = 'tabs';
  tabs.role = 'group';
  tabs.setAttribute('aria-label', NAMES[kind] + ' / ' + OTHER[kind]);
  [[first, NAMES[kind]], [second, OTHER[kind]]].forEach(([block, name], index) => {
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.textContent = name;
    tab.addEventListener('click', () => {
      localStorage.setItem('tab-' + kind, String(index));
      choices.forEach((choice) => choice.show());
    });
    tabs.append(tab);
  });
  first.before(tabs);
  choices.push({ show() {
    const chosenTab = Number(localStorage.getItem('tab-' + kind) ?? 0);
    [first, second].forEach((block, index) => { block.hidden = index !== chosenTab; });
    [...tabs.children].forEach((tab, index) => tab.setAttribute('aria-pressed', String(index === chosenTab)));
  } });
});
choices.forEach((choice) => choice.show());

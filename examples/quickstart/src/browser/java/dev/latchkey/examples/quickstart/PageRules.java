package dev.latchkey.examples.quickstart;

/** Rules of WCAG 2.2 that can be computed, as scripts that answer with what breaks them. */
final class PageRules {

    /** Criteria 1.4.3 and 1.4.11: text has 4.5 to 1 with what is behind it, edges of controls and lines of charts have 3 to 1. */
    static final String CONTRAST = """
            () => {
              const numbers = colour => (colour.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
              const over = ([r, g, b, a = 1], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a)];
              const ground = node => {
                const layers = [];
                for (let each = node; each; each = each.parentElement) {
                  layers.unshift(numbers(getComputedStyle(each).backgroundColor));
                }
                return layers.reduce((below, layer) => over(layer, below), [255, 255, 255]);
              };
              const light = colour => colour
                .map(each => each / 255)
                .map(each => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4)
                .reduce((sum, each, index) => sum + each * [0.2126, 0.7152, 0.0722][index], 0);
              const ratio = (front, behind) => {
                const [a, b] = [light(over(numbers(front), behind)), light(behind)].sort((x, y) => y - x);
                return (a + 0.05) / (b + 0.05);
              };
              const found = [];
              const judge = (what, front, behind, least) => {
                const value = ratio(front, behind);
                if (!(value >= least)) {
                  found.push(`${what}: ${front} on ${behind.map(Math.round)} is ${value.toFixed(2)}`);
                }
              };
              let judged = 0;
              const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
              for (let text = walker.nextNode(); text; text = walker.nextNode()) {
                const node = text.parentElement;
                if (text.data.trim() && node.checkVisibility() && !['SCRIPT', 'NOSCRIPT', 'TITLE'].includes(node.tagName.toUpperCase())) {
                  judge(`"${text.data.trim().slice(0, 40)}"`, getComputedStyle(node).color, ground(node), 4.5);
                  judged += 1;
                }
              }
              for (const node of document.querySelectorAll('input, button:not(:disabled)')) {
                if (node.checkVisibility()) {
                  judge(`edge of ${node.id || node.textContent}`, getComputedStyle(node).borderTopColor, ground(node.parentElement), 3);
                  judge(`text of ${node.id || node.textContent}`, getComputedStyle(node).color, ground(node), 4.5);
                }
              }
              for (const node of document.querySelectorAll('.chart .line, .ring .rest')) {
                if (node.checkVisibility()) {
                  judge('line of a chart', getComputedStyle(node).stroke, ground(node.parentElement), 3);
                }
              }
              return judged > 10 ? found : ['There was little to judge'];
            }""";

    /** Criteria 1.1.1, 1.3.1, 2.4.2, 2.4.6, 2.5.8, 3.1.1 and 4.1.2: names, labels, headings and sizes. */
    static final String STRUCTURE = """
            () => {
              const found = [];
              const must = (holds, what) => holds || found.push(what);
              const seen = selector => [...document.querySelectorAll(selector)].filter(node => node.checkVisibility());
              const named = node => (node.getAttribute('aria-label')
                ?? node.getAttribute('aria-labelledby')?.split(' ').map(id => document.getElementById(id)?.textContent ?? '').join(' ')
                ?? node.textContent).trim() !== '';
              must(document.documentElement.lang, 'the language is not said');
              must(document.title, 'there is no title');
              must(seen('main').length === 1, 'there is one main part');
              must(seen('h1').length === 1, `there is one h1, not ${seen('h1').length}`);
              const ids = [...document.querySelectorAll('[id]')].map(node => node.id);
              must(new Set(ids).size === ids.length, 'an id comes twice');
              for (const [attribute, nodes] of ['for', 'aria-labelledby'].map(name => [name, [...document.querySelectorAll(`[${name}]`)]])) {
                nodes.forEach(node => must(document.getElementById(node.getAttribute(attribute)), `${attribute} leads nowhere: ${node.outerHTML}`));
              }
              seen('input').forEach(node => must(node.labels.length === 1, `no label: ${node.id}`));
              seen('input').forEach(node => must(node.autocomplete, `no autocomplete: ${node.id}`));
              seen('button, a, section').forEach(node => must(named(node), `no name: ${node.outerHTML.slice(0, 80)}`));
              seen('img').forEach(node => must(node.hasAttribute('alt'), `no alt: ${node.src}`));
              seen('svg').forEach(node => must(node.getAttribute('role') === 'img' && named(node), `a picture without a name: ${node.id}`));
              seen('ul').forEach(node => must([...node.children].every(each => each.tagName === 'LI'), 'a list has other things than items'));
              seen('button').forEach(node => must(node.getBoundingClientRect().height >= 24, `too small: ${node.textContent}`));
              must(seen('button').every(node => node.type === 'submit' ? node.form : true), 'a button submits nothing');
              let level = 0;
              for (const node of seen('h1, h2, h3, h4')) {
                const next = Number(node.tagName[1]);
                must(next <= level + 1, `after h${level} comes h${next}: ${node.textContent}`);
                level = next;
              }
              const states = [...document.querySelectorAll('[role=status], [role=alert]')];
              must(states.length >= 2, 'nobody is told of changes');
              return found;
            }""";

    /** Criterion 1.4.10: nothing is wider than the window. */
    static final String WIDTH = """
            () => [...document.querySelectorAll('body *')]
              .filter(node => node.checkVisibility() && !node.closest('svg') && node.getBoundingClientRect().right > innerWidth + 0.5)
              .map(node => `${node.tagName} ${node.id} ${node.className}`)
              .concat(document.documentElement.scrollWidth > innerWidth ? ['the page'] : [])""";

    private PageRules() {}
}

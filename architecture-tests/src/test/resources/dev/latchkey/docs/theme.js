'use strict';
// Before the first paint: the reader's theme, so that a page does not flash in another one.
document.documentElement.dataset.theme = localStorage.getItem('theme') ?? 'auto';

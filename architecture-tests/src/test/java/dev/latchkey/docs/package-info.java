/** Makes a site from the repository's pages: the same paths, a menu, and a search without a server. */
@NullMarked
package dev.latchkey.docs;

import org.jspecify.annotations.NullMarked;

/** The pages of the repository as a site: the same pages at the same paths, with a menu and a search that needs no server. */
@NullMarked
package dev.latchkey.docs;

import org.jspecify.annotations.NullMarked;

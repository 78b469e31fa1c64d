/** Nodes on a store that fails, and what they were told meanwhile: for tests of stores that nodes share. Begin with {@link dev.latchkey.testsupport.Acknowledgements}. */
@NullMarked
package dev.latchkey.testsupport;

import org.jspecify.annotations.NullMarked;

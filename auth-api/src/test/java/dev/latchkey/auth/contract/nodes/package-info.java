/** Nodes on a store that fails, and what they were told meanwhile: for tests of stores that nodes share. Begin with {@link dev.latchkey.auth.contract.nodes.Acknowledgements}. */
@NullMarked
package dev.latchkey.auth.contract.nodes;

import org.jspecify.annotations.NullMarked;

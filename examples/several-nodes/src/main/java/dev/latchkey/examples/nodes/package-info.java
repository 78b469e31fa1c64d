/** Two nodes of one service, and the Redis that they share. Start reading at {@link dev.latchkey.examples.nodes.SeveralNodes}. */
@NullMarked
package dev.latchkey.examples.nodes;

import org.jspecify.annotations.NullMarked;

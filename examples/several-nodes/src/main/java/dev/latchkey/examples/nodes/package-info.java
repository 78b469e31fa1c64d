/** Two nodes of a service, and their shared Redis. Start reading at {@link dev.latchkey.examples.nodes.SeveralNodes}. */
@NullMarked
package dev.latchkey.examples.nodes;

import org.jspecify.annotations.NullMarked;

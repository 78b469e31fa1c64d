/** A service as there are many: Boot's own filter chain, one encoder, one user store, one endpoint, and nothing of Latchkey. */
@NullMarked
package dev.latchkey.benchmarks.plain;

import org.jspecify.annotations.NullMarked;

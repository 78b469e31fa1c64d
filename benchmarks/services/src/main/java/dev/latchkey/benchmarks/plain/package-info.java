/** A usual service: Boot's own filter chain, an encoder, a user store, an endpoint, and nothing of Latchkey. */
@NullMarked
package dev.latchkey.benchmarks.plain;

import org.jspecify.annotations.NullMarked;

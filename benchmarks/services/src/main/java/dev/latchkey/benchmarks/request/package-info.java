/** An endpoint behind a filter chain, or behind none. Each variant is a process with only the needed jars on its class path. */
@NullMarked
package dev.latchkey.benchmarks.request;

import org.jspecify.annotations.NullMarked;

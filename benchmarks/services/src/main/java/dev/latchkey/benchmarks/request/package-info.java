/** One endpoint behind one of several filter chains, or behind none. Each variant is a process of its own, on whose class path the harness leaves the jars that it needs. */
@NullMarked
package dev.latchkey.benchmarks.request;

import org.jspecify.annotations.NullMarked;

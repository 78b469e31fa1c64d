/**
 * One endpoint behind one of several filter chains, or behind none. Each variant is a process of its own with those jars on its class path that it needs, so nothing here is found by scanning: a chain's class
 * is loaded where its variant is asked for.
 */
@NullMarked
package dev.latchkey.benchmarks.request;

import org.jspecify.annotations.NullMarked;

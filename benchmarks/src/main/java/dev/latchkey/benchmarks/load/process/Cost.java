package dev.latchkey.benchmarks.load.process;

/**
 * The cost of a request for a service, on average over many requests.
 *
 * @param micros of processor time, user and system, of the whole process
 * @param bytes allocated
 */
public record Cost(double micros, double bytes) {}

/**
 * Real services as processes, with their resources: a client over plain sockets, processor time, allocation, thread dumps. Uses
 * {@code load} for accounts, addresses and the generator. Start reading at {@code ServiceProcess}, then {@code Ruler}.
 */
package dev.latchkey.benchmarks.load.process;

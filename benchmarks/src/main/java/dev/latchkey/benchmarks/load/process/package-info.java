/**
 * Real services as processes, and what their processes use: a client over plain sockets, processor time, allocation, thread dumps. It uses
 * {@code load} for accounts and addresses. Start reading at {@code ServiceProcess}, then {@code Ruler}.
 */
package dev.latchkey.benchmarks.load.process;

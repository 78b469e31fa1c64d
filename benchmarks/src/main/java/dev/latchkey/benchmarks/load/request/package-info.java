/** One endpoint behind each way to check a token: the services, the tokens that they must accept or refuse, and what a request costs each. */
package dev.latchkey.benchmarks.load.request;

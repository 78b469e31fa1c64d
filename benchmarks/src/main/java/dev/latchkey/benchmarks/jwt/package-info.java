/** Tokens: auth-jwt beside the libraries of current services, and beside the HMAC alone. */
package dev.latchkey.benchmarks.jwt;

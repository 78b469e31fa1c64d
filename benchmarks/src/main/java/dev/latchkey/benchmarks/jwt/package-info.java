/** Tokens: auth-jwt beside the libraries that services use today, and beside the HMAC alone. */
package dev.latchkey.benchmarks.jwt;

/**
 * Reading and writing of HTTP: forms, JSON, limited bodies, waiting times, origins, proxies. Public only for the other
 * packages of this module.
 */
@NullMarked
package dev.latchkey.auth.client.wire;

import org.jspecify.annotations.NullMarked;

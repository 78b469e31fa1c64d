/**
 * Spring's {@code RestClient} and {@code RestTemplate} with the credentials of an
 * {@link dev.latchkey.auth.client.Authorizer}.
 */
@NullMarked
package dev.latchkey.auth.client.spring;

import org.jspecify.annotations.NullMarked;

/**
 * Latchkey as the auth plugin of a Nacos server: it decides logins and tokens, and leaves users, roles and permissions where they are.
 *
 * <p>{@link dev.latchkey.nacos.LatchkeyAuthPluginService} is what the server asks, {@link
 * dev.latchkey.nacos.LatchkeyNacosAutoConfiguration} what it starts.
 */
@NullMarked
package dev.latchkey.nacos;

import org.jspecify.annotations.NullMarked;

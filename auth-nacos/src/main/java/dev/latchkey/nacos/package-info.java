/**
 * Latchkey as the auth plugin of a Nacos server. The plugin decides logins and tokens. Users, roles and permissions
 * stay in the server.
 *
 * <p>The server asks {@link dev.latchkey.nacos.LatchkeyAuthPluginService} and starts
 * {@link dev.latchkey.nacos.LatchkeyNacosAutoConfiguration}.
 */
@NullMarked
package dev.latchkey.nacos;

import org.jspecify.annotations.NullMarked;

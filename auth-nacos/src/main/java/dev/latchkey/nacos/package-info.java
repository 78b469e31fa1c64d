/**
 * Latchkey as the auth plugin of a Nacos server. The plugin decides logins and tokens. Users, roles and permissions
 * stay in the server.
 *
 * <p>The server asks {@link dev.latchkey.nacos.LatchkeyAuthPluginService} and starts
 * {@link dev.latchkey.nacos.LatchkeyNacosAutoConfiguration}.
 *
 * <p>The package has more than 30 files, because the filters, the logins and the server's accounts of one request call each
 * other. These classes are package-private, so the server and other plugins see only the entry points.
 */
@NullMarked
package dev.latchkey.nacos;

import org.jspecify.annotations.NullMarked;

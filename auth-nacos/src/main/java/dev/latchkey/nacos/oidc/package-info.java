/** Access tokens of an OpenID Connect provider as a source of logins. */
@NullMarked
package dev.latchkey.nacos.oidc;

import org.jspecify.annotations.NullMarked;

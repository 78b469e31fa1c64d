package dev.latchkey.auth;

import java.util.Optional;
import java.util.Set;

/** A plugin that reads credentials of its own kind from a token request with an extension grant (RFC 6749 section 4.5). */
public interface GrantReader extends AuthPlugin {

    /**
     * The values of {@code grant_type} that this plugin reads. The chain shows this plugin no other grant.
     *
     * @return the same set at every call
     */
    Set<String> grantTypes();

    /**
     * Reads credentials from a token request. The credentials then pass the whole chain.
     *
     * @param grant of a type that {@link #grantTypes()} names
     * @param context of the request that carried the grant
     * @return empty where the fields of the grant are missing or malformed
     */
    Optional<Credentials> read(LoginGrant grant, RequestContext context);
}

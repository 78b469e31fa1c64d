package dev.latchkey.auth;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A plugin that reads credentials of its own kind from a token request with an extension grant (RFC 6749 section 4.5).
 */
public interface GrantReader extends AuthPlugin {

    /**
     * The supported values of {@code grant_type}. The chain shows this plugin no other grant.
     *
     * @return the same set at every call
     */
    Set<String> grantTypes();

    /**
     * Reads credentials from a token request. The credentials then pass the whole chain.
     *
     * @param grantType an element of {@link #grantTypes()}
     * @param fields the other fields of the request by name, unchecked; a name is case-sensitive, a value may be empty. Ignore
     *     unknown fields, such as {@code client_id} (RFC 6749 section 3.2)
     * @param context of the request
     * @return empty if fields of the grant are missing or malformed. Never {@link IssuedCredentials}, because the token endpoint
     *     issues no tokens for a token or a key
     */
    Optional<Credentials> read(String grantType, Map<String, Secret> fields, RequestContext context);
}

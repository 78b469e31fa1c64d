package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.cache.CredentialCache;
import java.util.List;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/** The actuator's endpoint {@code latchkeycaches}: the cached credentials. {@code latchkey} shows the caches. */
@Endpoint(id = "latchkeycaches", defaultAccess = Access.READ_ONLY)
final class CachesEndpoint {

    private final Operator operator;

    CachesEndpoint(Operator operator) {
        this.operator = operator;
    }

    /** Evicts one account. The name comes in the body, since paths end up in access logs. */
    @WriteOperation
    Object evict(SecurityContext caller, String account) {
        return operator.change(caller, "evict", () -> Map.of("account", account, "entries", evicted(account)));
    }

    private int evicted(String account) {
        List<String> hashes = EndpointConfiguration.hashesOf(operator, account);
        int entries = 0;
        for (CredentialCache cache : operator.all(CredentialCache.class)) {
            entries += cache.evictUsername(account);
            for (String hash : hashes) {
                entries += cache.evictStoredHash(hash);
            }
        }
        return entries;
    }
}

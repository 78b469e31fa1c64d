package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.guard.login.LoginBucket;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.spring.operations.EndpointConfiguration.StoredHash;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.lang.Nullable;

/**
 * The actuator endpoint {@code latchkeyunlock}: resets the failed logins of an account. The endpoint is separate, so
 * that a help desk may unlock accounts and change no limit.
 */
@Endpoint(id = "latchkeyunlock", defaultAccess = Access.READ_ONLY)
final class UnlockEndpoint {

    /** Each bucket waits less than a second for a shared store, and is local afterwards. */
    private static final long LONGEST_SECONDS = 10;

    private final Operator operator;

    UnlockEndpoint(Operator operator) {
        this.operator = operator;
    }

    /**
     * Unlocks an account. Names and addresses come in the body, because access logs contain paths. Some limits count by
     * the stored hash. If no store knows the spelling, these limits remain, and the answer contains
     * {@code foundInStore: false}.
     *
     * @param address the client IP of the owner, as the limits see the client IP; null for the account alone
     */
    @WriteOperation
    Object unlock(SecurityContext caller, String account, @Nullable String address) {
        return operator.change(caller, "unlock", () -> unlocked(account, address));
    }

    private Map<String, Object> unlocked(String account, @Nullable String address) {
        LoginLimits limits = operator.unique(LoginLimits.class, "There are no login limits, or several");
        ClientSource source = address == null
                ? null
                : ClientSource.of(address)
                        .orElseThrow(() -> new IllegalArgumentException("The parameter 'address' is no IP address"));
        List<StoredHash> found = EndpointConfiguration.accountsOf(operator, account);
        Set<String> spellings = new LinkedHashSet<>(List.of(account));
        found.forEach(stored -> spellings.add(stored.name()));
        Set<LoginBucket> empty = EnumSet.noneOf(LoginBucket.class);
        for (String spelling : spellings) {
            empty.addAll(limits.unlock(spelling, EndpointConfiguration.hashesIn(found), source)
                    .orTimeout(LONGEST_SECONDS, TimeUnit.SECONDS)
                    .join());
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("account", account);
        if (address != null) {
            answer.put("address", address);
        }
        List<String> names = empty.stream().map(LimitNames::of).toList();
        answer.put("wereEmpty", names);
        if (found.isEmpty()) {
            answer.put("foundInStore", false);
        }
        return answer;
    }
}

package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.jwt.KeyRing;
import dev.latchkey.auth.jwt.RotatingKeys;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * The actuator's endpoint {@code latchkey}: a report without side effects. The endpoints for changes are {@code latchkeylimits},
 * {@code latchkeyunlock}, {@code latchkeykeys}, {@code latchkeycaches}, {@code latchkeylogins} and {@code latchkeylogout}.
 *
 * <p>Changes are off by default. For example, {@code management.endpoint.latchkeykeys.access=unrestricted} allows rotation. The
 * audit records each change with the name of the caller, or {@code jmx}.
 */
@Endpoint(id = "latchkey", defaultAccess = Access.READ_ONLY)
final class LatchkeyEndpoint {

    private final ListableBeanFactory beans;

    LatchkeyEndpoint(ListableBeanFactory beans) {
        this.beans = beans;
    }

    @ReadOperation
    LatchkeyReport status() {
        return new LatchkeyReport(
                beans.getBeanProvider(AuthChain.class).stream()
                        .flatMap(chain -> chain.pluginNames().stream())
                        .toList(),
                beans.getBeanProvider(RotatingKeys.class).stream()
                        .flatMap(keys -> keysOf(keys.ring()).stream())
                        .toList(),
                each(CredentialCache.class, CredentialCache::stats),
                each(HashingPermits.class, HashingPermits::stats),
                each(LoginLimits.class, LatchkeyReport.Limits::of));
    }

    private static List<LatchkeyReport.Key> keysOf(KeyRing ring) {
        return ring.distinctKeys().stream()
                .map(entry -> LatchkeyReport.Key.of(entry, ring))
                .toList();
    }

    private <B, R> Map<String, R> each(Class<B> type, Function<B, R> report) {
        Map<String, R> reports = new TreeMap<>();
        beans.getBeansOfType(type).forEach((name, bean) -> reports.put(name, report.apply(bean)));
        return reports;
    }
}

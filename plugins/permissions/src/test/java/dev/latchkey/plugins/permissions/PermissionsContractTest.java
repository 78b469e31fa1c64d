package dev.latchkey.plugins.permissions;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.contract.PermissionSourceContract;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.auth.permission.PermissionSource;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** The contract of permission sources, for a policy in a store. */
class PermissionsContractTest extends PermissionSourceContract {

    private static PermissionSource on(PolicyStore store) {
        return PermissionsPlugin.of("permissions", store, Duration.ofSeconds(10), System::nanoTime);
    }

    @Override
    protected PermissionSource newPlugin() {
        return on(new Store());
    }

    @Override
    protected Optional<PermissionSource> newPluginInOutage() {
        return Optional.of(on(new Store() {
            @Override
            public Policy load() {
                throw AuthUnavailableException.outage("The store is down");
            }
        }));
    }

    @Override
    protected Subject subject() {
        return Subject.of("ada");
    }

    @Override
    protected Permission granted() {
        return new Permission("orders", "read");
    }

    private static class Store implements PolicyStore {

        @Override
        public Policy load() {
            return Policy.builder().grant("reader", "orders", "read").build();
        }

        @Override
        public Set<String> rolesOf(String subjectId) {
            return subjectId.equals("ada") ? Set.of("reader") : Set.of();
        }
    }
}

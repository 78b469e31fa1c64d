package dev.latchkey.auth.store;

import dev.latchkey.auth.contract.LoginStoreContract;
import dev.latchkey.auth.contract.RevocationStoreContract;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;

/** The stores of one process keep what the contracts ask. They cannot be down, so a switch in front of them is. */
class InMemoryStoreContractsTest {

    @Nested
    class Revocations extends RevocationStoreContract {

        private final BreakableStores switches = new BreakableStores();
        private @Nullable RevocationStore store;

        @Override
        protected RevocationStore node(InstantSource clock) {
            if (store == null) {
                store = nodeOfAnotherService(clock);
            }
            return store;
        }

        /** Each service has a process, and so a store. */
        @Override
        protected RevocationStore nodeOfAnotherService(InstantSource clock) {
            return switches.of(new InMemoryRevocationStore(
                    LONGEST_LIFETIME, clock, new InMemoryRevocationStore.Room(5_000, 1_000, 5_000)));
        }

        @Override
        protected void breakDown() {
            switches.breakDown();
        }

        @Override
        protected void repair() {
            switches.repair();
        }
    }

    @Nested
    class Logins extends LoginStoreContract {

        private final BreakableStores switches = new BreakableStores();
        private @Nullable LoginStore store;

        @Override
        protected LoginStore node(InstantSource clock) {
            if (store == null) {
                store = nodeOfAnotherService(clock);
            }
            return store;
        }

        /** Each service has a process, and so a store. */
        @Override
        protected LoginStore nodeOfAnotherService(InstantSource clock) {
            return switches.of(new InMemoryLoginStore(1_000, clock));
        }

        @Override
        protected void breakDown() {
            switches.breakDown();
        }

        @Override
        protected void repair() {
            switches.repair();
        }
    }
}

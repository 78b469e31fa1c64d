package dev.latchkey.auth.store;

import dev.latchkey.auth.contract.LoginStoreContract;
import dev.latchkey.auth.contract.Race;
import dev.latchkey.auth.contract.RevocationStoreContract;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

/** Contracts over broken stores. */
final class BrokenStores {

    private BrokenStores() {}

    /** Makes a node from the data shared by all nodes of a test. */
    @FunctionalInterface
    interface Nodes<S, N> extends BiFunction<S, InstantSource, N> {}

    static RevocationStoreContract revocations(Nodes<MapRevocations.Shared, RevocationStore> nodes) {
        return revocations(nodes, () -> {});
    }

    /** @param lost what happens while the store is down */
    static RevocationStoreContract revocations(Nodes<MapRevocations.Shared, RevocationStore> nodes, Runnable lost) {
        return new RevocationStoreContract() {
            private final BreakableStores switches = new BreakableStores();
            private final MapRevocations.Shared shared = new MapRevocations.Shared();
            private final MapRevocations.Shared sharedByAnother = new MapRevocations.Shared();

            @Override
            protected RevocationStore node(InstantSource clock) {
                return switches.of(nodes.apply(shared, clock));
            }

            @Override
            protected RevocationStore nodeOfAnotherService(InstantSource clock) {
                return switches.of(nodes.apply(sharedByAnother, clock));
            }

            @Override
            protected void breakDown() {
                switches.breakDown();
            }

            @Override
            protected void repair() {
                lost.run();
                switches.repair();
            }
        };
    }

    /** A contract over nodes that ignore the switch for an outage; another service has the same nodes. */
    static RevocationStoreContract withoutSwitch(RevocationStore node) {
        return new RevocationStoreContract() {
            @Override
            protected RevocationStore node(InstantSource clock) {
                return node;
            }

            @Override
            protected RevocationStore nodeOfAnotherService(InstantSource clock) {
                return node;
            }

            @Override
            protected void breakDown() {}

            @Override
            protected void repair() {}
        };
    }

    static LoginStoreContract logins(Nodes<MapLogins, LoginStore> nodes) {
        return new LoginStoreContract() {
            private final BreakableStores switches = new BreakableStores();
            private final MapLogins shared = new MapLogins(() -> Instant.EPOCH);
            private final MapLogins sharedByAnother = new MapLogins(() -> Instant.EPOCH);

            @Override
            protected LoginStore node(InstantSource clock) {
                return switches.of(nodes.apply(shared, clock));
            }

            @Override
            protected LoginStore nodeOfAnotherService(InstantSource clock) {
                return switches.of(nodes.apply(sharedByAnother, clock));
            }

            @Override
            protected void breakDown() {
                switches.breakDown();
            }

            @Override
            protected void repair() {
                switches.repair();
            }
        };
    }

    static LoginStoreContract withoutSwitch(LoginStore node) {
        return new LoginStoreContract() {
            @Override
            protected LoginStore node(InstantSource clock) {
                return node;
            }

            @Override
            protected LoginStore nodeOfAnotherService(InstantSource clock) {
                return node;
            }

            @Override
            protected void breakDown() {}

            @Override
            protected void repair() {}
        };
    }

    /** Lets all threads of a race come here before one of them goes on. */
    static final class Gap {

        private final CyclicBarrier all = new CyclicBarrier(Race.MOST_THREADS);

        void await() {
            try {
                all.await(10, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}

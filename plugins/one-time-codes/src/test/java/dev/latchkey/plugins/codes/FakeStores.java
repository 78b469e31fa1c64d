package dev.latchkey.plugins.codes;

import dev.latchkey.auth.AuthUnavailableException;
import java.util.Optional;

/** Stores with unwanted behaviour. */
final class FakeStores {

    private FakeStores() {}

    /** Says that each write came second. */
    record Stubborn(CodeStore store) implements CodeStore {

        @Override
        public Optional<StoredCodes> find(String account) {
            return store.find(account);
        }

        @Override
        public boolean insert(String account, StoredCodes codes) {
            return false;
        }

        @Override
        public boolean update(String account, String revision, StoredCodes codes) {
            return false;
        }

        @Override
        public boolean delete(String account) {
            return false;
        }
    }

    /** Down. */
    record Down() implements CodeStore {

        @Override
        public Optional<StoredCodes> find(String account) {
            throw AuthUnavailableException.outage("The store is down");
        }

        @Override
        public boolean insert(String account, StoredCodes codes) {
            throw AuthUnavailableException.outage("The store is down");
        }

        @Override
        public boolean update(String account, String revision, StoredCodes codes) {
            throw AuthUnavailableException.outage("The store is down");
        }

        @Override
        public boolean delete(String account) {
            throw AuthUnavailableException.outage("The store is down");
        }
    }

    /** Lets a test act before and after each change of a row. */
    static final class Watched implements CodeStore {

        private final CodeStore store = new InMemoryCodeStore();
        Runnable beforeUpdate = () -> {};
        Runnable afterUpdate = () -> {};

        @Override
        public Optional<StoredCodes> find(String account) {
            return store.find(account);
        }

        @Override
        public boolean insert(String account, StoredCodes codes) {
            return store.insert(account, codes);
        }

        @Override
        public boolean update(String account, String revision, StoredCodes codes) {
            beforeUpdate.run();
            boolean isWritten = store.update(account, revision, codes);
            afterUpdate.run();
            return isWritten;
        }

        @Override
        public boolean delete(String account) {
            return store.delete(account);
        }
    }
}

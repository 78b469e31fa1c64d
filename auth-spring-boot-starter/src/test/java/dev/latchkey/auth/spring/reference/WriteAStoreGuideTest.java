package dev.latchkey.auth.spring.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.contract.SharedRevocationStoreContract;
import dev.latchkey.auth.store.IdDigest;
import dev.latchkey.auth.store.Revocation;
import dev.latchkey.auth.store.SharedRevocationStore;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code how-to/write-a-store.md}: the store of the page keeps the contract that the page extends. */
class WriteAStoreGuideTest extends SharedRevocationStoreContract {

    @TempDir
    static Path folder;

    private static Guide guide;

    private final Server server = new Server();

    @BeforeAll
    static void compile() throws IOException {
        guide = Guide.of("how-to/write-a-store.md", folder);
    }

    @AfterAll
    static void close() throws IOException {
        guide.close();
    }

    @Override
    protected SharedRevocationStore node(InstantSource clock) throws Exception {
        return storeOf("shop");
    }

    @Override
    protected SharedRevocationStore nodeOfAnotherService(InstantSource clock) throws Exception {
        return storeOf("office");
    }

    @Override
    protected void breakDown() {
        server.isBroken = true;
    }

    @Override
    protected void repair() {
        server.isBroken = false;
    }

    @Test
    void testOfThePage_extendsThisContract() throws Exception {
        assertThat(guide.type("DocumentRevocationsTest").getSuperclass()).isSameAs(SharedRevocationStoreContract.class);
    }

    private SharedRevocationStore storeOf(String service) throws Exception {
        Class<?> documents = guide.type("DocumentRevocations$Documents");
        Constructor<?> make =
                guide.type("DocumentRevocations").getDeclaredConstructor(documents, String.class, Duration.class);
        make.setAccessible(true);
        Object commands = Proxy.newProxyInstance(
                guide.loader(), new Class<?>[] {documents}, (proxy, method, args) -> server.call(method, args));
        return (SharedRevocationStore) make.newInstance(commands, service, LONGEST_LIFETIME);
    }

    /** The three commands of the page, over a map. */
    private static final class Server {

        private record Key(String service, IdDigest id) {}

        private final Map<Key, SharedRevocationStore.Recorded> entries = new HashMap<>();
        private long last;
        private volatile boolean isBroken;

        synchronized Object call(Method command, Object[] args) {
            if (isBroken) {
                throw AuthUnavailableException.outage("The server is down");
            }
            String service = (String) args[0];
            return switch (command.getName()) {
                case "raise" -> raise(service, (Revocation) args[1]);
                case "find" ->
                    Optional.ofNullable(entries.get(new Key(service, (IdDigest) args[1])))
                            .map(SharedRevocationStore.Recorded::revocation);
                case "after" -> after(service, (Long) args[1], (Integer) args[2]);
                default -> throw new IllegalStateException("The page has another command: " + command);
            };
        }

        private Revocation raise(String service, Revocation entry) {
            SharedRevocationStore.Recorded present = entries.get(new Key(service, entry.id()));
            Revocation raised = present == null
                    ? entry
                    : new Revocation(
                            entry.id(),
                            later(present.revocation().notBefore(), entry.notBefore()),
                            later(present.revocation().until(), entry.until()));
            last++;
            entries.put(new Key(service, entry.id()), new SharedRevocationStore.Recorded(last, raised));
            return raised;
        }

        private static Instant later(Instant one, Instant other) {
            return one.isAfter(other) ? one : other;
        }

        private List<SharedRevocationStore.Recorded> after(String service, long position, int most) {
            List<SharedRevocationStore.Recorded> found = new ArrayList<>();
            entries.forEach((key, entry) -> {
                if (key.service().equals(service) && entry.position() > position) {
                    found.add(entry);
                }
            });
            found.sort(Comparator.comparingLong(SharedRevocationStore.Recorded::position));
            return List.copyOf(found.subList(0, Math.min(most, found.size())));
        }
    }
}

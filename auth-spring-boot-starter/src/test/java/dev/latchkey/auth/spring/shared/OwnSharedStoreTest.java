package dev.latchkey.auth.spring.shared;

import static dev.latchkey.auth.spring.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.store.IdDigest;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.LocalRevocationSettings;
import dev.latchkey.auth.store.LocalRevocations;
import dev.latchkey.auth.store.Revocation;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.SharedRevocationStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.RequestBuilder;

/** A store of revocations that the service brings for its nodes is copied as those of auth-redis and auth-jdbc are. */
@Tag("long")
class OwnSharedStoreTest {

    private static final Instant END = Instant.MAX;

    private final OwnStore store = new OwnStore();

    @Test
    void storeOfTheService_isCopied_beforeTheFirstRequest() {
        store.revokeToken("before", END);
        service().withBean(OwnStore.class, () -> store).run(context -> {
            RevocationStore revocations = context.getBean(RevocationStore.class);
            assertThat(revocations).isInstanceOf(LocalRevocations.class);
            assertThat(context.getBean(LocalRevocations.class).status().size()).isOne();
            assertThat(revocations.isTokenRevoked("before")).isTrue();
        });
    }

    @Test
    void entriesOfAnotherNode_areReadSoon_andChecksAskNoStore() {
        service()
                .withBean(OwnStore.class, () -> store)
                .withPropertyValues("latchkey.revocation.stale-after=8s")
                .run(context -> {
                    RevocationStore revocations = context.getBean(RevocationStore.class);
                    store.revokeToken("elsewhere", END);
                    until(() -> revocations.isTokenRevoked("elsewhere"));
                    revocations.isTokenRevoked("another");
                    assertThat(store.questions).hasValue(0);
                });
    }

    @Test
    void copyThatTheServiceMakes_isReadToo() {
        service()
                .withBean(LocalRevocations.class, () -> LocalRevocations.of(store, LocalRevocationSettings.defaults()))
                .run(context -> {
                    LocalRevocations copy = context.getBean(LocalRevocations.class);
                    assertThat(copy.status().age()).isPresent();
                    store.revokeToken("elsewhere", END);
                    until(() -> copy.status().size() == 1);
                });
    }

    @Test
    void storeWithoutPositions_isAskedItself() {
        RevocationStore plain = new InMemoryRevocationStore(Duration.ofHours(1));
        service().withBean(RevocationStore.class, () -> plain).run(context -> {
            assertThat(context.getBean(RevocationStore.class)).isSameAs(plain);
            assertThat(context).doesNotHaveBean(RevocationRefresh.class);
        });
    }

    static List<Throwable> defects() {
        return List.of(
                new IllegalArgumentException("no subject has a NUL"),
                new NoClassDefFoundError("com/shop/Codec"),
                new IOException("which Kotlin throws without a word"));
    }

    @ParameterizedTest
    @MethodSource("defects")
    void storeWithADefect_isOneLineInTheLog_andReadAgain(Throwable defect) {
        List<String> lines = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("dev.latchkey.auth");
        logger.addHandler(handler);
        try {
            store.defect = defect;
            service()
                    .withBean(OwnStore.class, () -> store)
                    .withPropertyValues("latchkey.revocation.stale-after=100ms")
                    .run(context -> until(() -> store.calls.get() > 3));
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(lines)
                .filteredOn(line -> line.contains("evocations"))
                .containsExactly(
                        "The store of revocations does not answer: its copy cannot be read, caused by " + defect);
    }

    /** Let out, it would end in an error dispatch, which the service's rules answer with 401. */
    @ParameterizedTest
    @MethodSource("defects")
    void storeWithADefect_isA500_andNoWrongPasswordOrToken(Throwable defect) {
        service()
                .withBean(OwnStore.class, () -> store)
                .withUserConfiguration(Services.Accounts.class)
                .withPropertyValues("latchkey.login.enabled=true", "latchkey.revocation.stale-after=100ms")
                .run(context -> {
                    MockMvc mvc = Services.mvc(context);
                    String token = Services.tokenFrom(mvc.perform(login()));
                    store.defect = defect;
                    LocalRevocations copy = context.getBean(LocalRevocations.class);
                    until(() -> !copy.status().isFresh());
                    mvc.perform(login()).andExpect(status().isInternalServerError());
                    mvc.perform(get("/hello").header("Authorization", "Bearer " + token))
                            .andExpect(status().isInternalServerError());
                });
    }

    private static RequestBuilder login() {
        return post("/auth/token").contentType(MediaType.APPLICATION_JSON).content(Services.LOGIN);
    }

    private static WebApplicationContextRunner service() {
        return Services.web()
                .withConfiguration(AutoConfigurations.of(LatchkeyRevocationCopyAutoConfiguration.class))
                .withPropertyValues("latchkey.jwt.secret=" + Services.KEY);
    }

    /** A row for each revocation, at the position of its number. */
    private static final class OwnStore implements SharedRevocationStore {

        private final List<Revocation> rows = new ArrayList<>();
        private final AtomicInteger questions = new AtomicInteger();
        private final AtomicInteger calls = new AtomicInteger();
        private volatile @Nullable Throwable defect;

        private synchronized Revocation add(Revocation revocation) {
            rows.add(revocation);
            return revocation;
        }

        @Override
        public Revocation recordToken(String tokenId, Instant expiresAt) {
            return add(Revocation.ofToken(tokenId, expiresAt));
        }

        @Override
        public Revocation recordTokenOf(String subjectId, String tokenId, Instant expiresAt) {
            return recordToken(tokenId, expiresAt);
        }

        @Override
        public Revocation recordSubject(String subjectId, Instant notBefore) {
            failIfDefective();
            return add(Revocation.ofSubject(subjectId, notBefore, Duration.ofHours(1)));
        }

        private void failIfDefective() {
            calls.incrementAndGet();
            if (defect != null) {
                throw OwnStore.<RuntimeException>unchecked(defect);
            }
        }

        /** Throws the given exception, declared or not, as Kotlin does. */
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
        private static <T extends Throwable> T unchecked(Throwable thrown) throws T {
            throw (T) thrown;
        }

        @Override
        public synchronized List<Recorded> recordedAfter(long position, int most) {
            List<Recorded> page = new ArrayList<>();
            for (int i = (int) position; i < rows.size() && page.size() < most; i++) {
                page.add(new Recorded(i + 1L, rows.get(i)));
            }
            return page;
        }

        @Override
        public void restore(List<Revocation> lost) {
            lost.forEach(this::add);
        }

        @Override
        public synchronized Instant notBefore(String subjectId) {
            failIfDefective();
            IdDigest id = IdDigest.ofSubject(subjectId);
            return rows.stream()
                    .filter(each -> each.id().equals(id))
                    .map(Revocation::notBefore)
                    .max(Instant::compareTo)
                    .orElse(Instant.MIN);
        }

        @Override
        public synchronized boolean isTokenRevoked(String tokenId) {
            questions.incrementAndGet();
            failIfDefective();
            IdDigest id = IdDigest.ofToken(tokenId);
            return rows.stream().anyMatch(each -> each.id().equals(id));
        }
    }
}

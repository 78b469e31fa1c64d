package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.latchkey.auth.Abstained;
import dev.latchkey.auth.Access;
import dev.latchkey.auth.Account;
import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthPluginFactory;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Permission;
import dev.latchkey.auth.PluginConfig;
import dev.latchkey.auth.PluginDirectory;
import dev.latchkey.auth.PluginNames;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of {@link AuthPlugin}, as tests: extend this class, supply the four required pieces, and run it.
 *
 * <p>Each test gets a plugin of its own, so a fixture should be cheap: give a password plugin a hash of low cost, and a
 * bounded pool enough room for {@value ManyThreads#THREADS} callers at once. A rule that concerns something optional (an
 * outage, a header field of the plugin's own) is checked where the hook for it is overridden.
 *
 * <p>Needs JUnit Jupiter and nothing else. What no test of this kind can show is left to the author: that an unknown
 * account costs the same time as a wrong password, in {@link AuthPlugin#authenticate} or in {@link AuthPlugin#unrecognized}, and that no reference to the credentials is kept.
 */
@Timeout(60)
public abstract class AuthPluginContract {

    private final List<AuthPlugin> opened = new ArrayList<>();

    /** A plugin that works, with the same accounts each time; whatever it holds is its own. */
    protected abstract AuthPlugin newPlugin() throws Exception;

    /** Credentials that every new plugin authenticates, as the same subject each time. */
    protected abstract Credentials validCredentials() throws Exception;

    /** Credentials of the same kind that prove nobody, and are well-formed: a wrong password, a wrong signature. */
    protected abstract Credentials wrongCredentials() throws Exception;

    /** What is secret in the two above, as text of at least eight characters each; none of it may ever be printed. */
    protected abstract List<String> secretTexts();

    /** Credentials for an account that does not exist, where the plugin's credentials name an account. */
    protected Optional<Credentials> credentialsOfUnknownAccount() throws Exception {
        return Optional.empty();
    }

    /** A plugin whose store is down, where it has one that can be. */
    protected Optional<AuthPlugin> newPluginInOutage() throws Exception {
        return Optional.empty();
    }

    /** A request from which {@link AuthPlugin#read} takes valid credentials, where the plugin reads its own. */
    protected Optional<RequestContext> requestWithValidCredentials() throws Exception {
        return Optional.empty();
    }

    /** The factory that {@link java.util.ServiceLoader} shall find, where there is one. */
    protected Optional<AuthPluginFactory> factory() {
        return Optional.empty();
    }

    /** Settings from which {@link #factory()} makes a plugin. */
    protected Optional<PluginConfig> settings() throws Exception {
        return Optional.empty();
    }

    /**
     * Credentials of the plugin's own kind with this text as their secret; override it for a kind of your own.
     *
     * @throws IllegalArgumentException if such text cannot be in such credentials
     */
    protected Optional<Credentials> credentialsWith(String text) throws Exception {
        Credentials valid = validCredentials();
        if (valid instanceof PasswordCredentials password) {
            return Optional.of(new PasswordCredentials(password.username(), Secret.of(text)));
        }
        return valid instanceof BearerToken ? Optional.of(BearerToken.of(text)) : Optional.empty();
    }

    /** The plugin's source of time, where it is not the system's. */
    protected InstantSource clock() {
        return InstantSource.system();
    }

    @AfterEach
    final void closeWhatWasOpened() {
        opened.forEach(AuthPlugin::close);
    }

    @Test
    final void name_isProperAndConstant() throws Exception {
        AuthPlugin plugin = open();
        String name = PluginNames.require(plugin.name());
        plugin.authenticate(validCredentials(), RequestContext.none());
        assertEquals(name, plugin.name(), "the name changed after a login");
        assertEquals(name, open().name(), "another instance has another name");
    }

    @Test
    final void validCredentials_areAuthenticatedAsTheSameSubjectEachTime() throws Exception {
        AuthPlugin plugin = open();
        Credentials valid = validCredentials();
        Subject first = authenticated(plugin, valid).subject();
        assertEquals(first, authenticated(plugin, valid).subject(), "the second time");
        assertEquals(first, authenticated(open(), validCredentials()).subject(), "by another instance");
    }

    @Test
    final void validUntil_isInTheFuture() throws Exception {
        Authenticated verdict = authenticated(open(), validCredentials());
        assertTrue(
                verdict.validUntil().isAfter(clock().instant()),
                () -> "already over: valid until " + verdict.validUntil());
    }

    @Test
    final void wrongCredentials_areNeverAuthenticated() throws Exception {
        AuthPlugin plugin = open();
        Credentials wrong = wrongCredentials();
        assertNobody(answer(plugin, wrong));
        authenticated(plugin, validCredentials());
        assertNobody(answer(plugin, wrong));
    }

    @TestFactory
    final Stream<DynamicTest> unknownAccount_isNeverAuthenticated() throws Exception {
        return credentialsOfUnknownAccount().stream()
                .map(unknown -> dynamicTest("unknown account", () -> assertNobody(answer(open(), unknown))));
    }

    @Test
    final void unrecognized_isSpentOnAnybody_andChangesNothing() throws Exception {
        AuthPlugin plugin = open();
        List<PasswordCredentials> presented = new ArrayList<>();
        Hostile.TEXTS.forEach(text -> presented.add(new PasswordCredentials(text, Secret.of(text))));
        credentialsOfUnknownAccount().stream()
                .filter(PasswordCredentials.class::isInstance)
                .forEach(unknown -> presented.add((PasswordCredentials) unknown));
        for (PasswordCredentials credentials : presented) {
            assertDoesNotThrow(
                    () -> plugin.unrecognized(credentials),
                    () -> "unrecognized threw for " + Hostile.shown(credentials));
            assertNobody(answer(plugin, credentials));
        }
        authenticated(plugin, validCredentials());
    }

    @Test
    final void credentialsOfAForeignKind_areLeftToTheNextPlugin() throws Exception {
        Decision decision = answer(open(), new ForeignCredentials());
        assertInstanceOf(Abstained.class, decision, "nobody can know this kind, so no plugin may judge it");
    }

    @Test
    final void supports_isTrueOfWhatThePluginDecides() throws Exception {
        AuthPlugin plugin = open();
        List<Credentials> decided = new ArrayList<>(List.of(validCredentials(), wrongCredentials()));
        credentialsOfUnknownAccount().ifPresent(decided::add);
        requestWithValidCredentials().flatMap(plugin::read).ifPresent(decided::add);
        for (Credentials credentials : decided) {
            assertTrue(supports(plugin, credentials), () -> "says that it does not support " + kindOf(credentials));
        }
    }

    @Test
    final void kindThatIsNotSupported_isLeftToTheNextPlugin() throws Exception {
        AuthPlugin plugin = open();
        PasswordCredentials password = new PasswordCredentials("nobody-of-this-name", Secret.of("any password"));
        for (Credentials credentials : List.of(password, BearerToken.of("a.b.c"), new ForeignCredentials())) {
            boolean supported = supports(plugin, credentials);
            Decision decision = answer(plugin, credentials);
            assertTrue(
                    supported || decision instanceof Abstained,
                    () -> "does not support " + kindOf(credentials) + ", and answers " + decision);
            assertFalse(
                    plugin.revoke(credentials) && !supported,
                    () -> "does not support " + kindOf(credentials) + ", and revokes it");
            assertEquals(supported, supports(plugin, credentials), "the second time");
        }
    }

    @Test
    final void hostileCredentials_areAnsweredWithAValue() throws Exception {
        AuthPlugin plugin = open();
        for (String text : Hostile.TEXTS) {
            assertNobody(answer(plugin, BearerToken.of(text)));
            assertNobody(answer(plugin, new PasswordCredentials(text, Secret.of(text))));
            Optional<Credentials> own = Hostile.unlessRefused(() -> credentialsWith(text));
            if (own.isPresent()) {
                assertNobody(answer(plugin, own.get()));
                assertFalse(plugin.revoke(own.get()), "revoked what proves nobody");
            }
        }
        assertNobody(answer(plugin, new PasswordCredentials(Hostile.LONE_SURROGATE, Secret.of(""))));
        authenticated(plugin, validCredentials());
    }

    @TestFactory
    final Stream<DynamicTest> manyThreads_getTheSameAnswers() {
        return ManyThreads.kinds()
                .map(kind -> dynamicTest(kind.name(), () -> {
                    AuthPlugin plugin = open();
                    Credentials valid = validCredentials();
                    Credentials wrong = wrongCredentials();
                    Subject subject = authenticated(plugin, valid).subject();
                    ManyThreads.run(kind, () -> {
                        assertEquals(subject, authenticated(plugin, valid).subject());
                        assertNobody(answer(plugin, wrong));
                    });
                }));
    }

    @Test
    final void secrets_areNeverPrinted() throws Exception {
        Printed printed = new Printed();
        Credentials valid = validCredentials();
        Credentials wrong = wrongCredentials();
        Optional<AuthPlugin> broken = newPluginInOutage();
        broken.ifPresent(opened::add);
        printed.listenWhile(() -> {
            AuthPlugin plugin = open();
            for (Credentials credentials : List.of(valid, wrong)) {
                printed.add(plugin, credentials, plugin.authenticate(credentials, RequestContext.none()));
                if (broken.isPresent()) {
                    printed.add(
                            broken.get(),
                            Printed.thrownBy(() -> broken.get().authenticate(credentials, RequestContext.none())));
                }
                plugin.revoke(credentials);
            }
            plugin.close();
            printed.add(plugin);
        });
        printed.assertWithout(secretTexts());
    }

    @Test
    final void stamp_isThatOfTheAccount_andWhoHasAccountsGivesStamps() throws Exception {
        AuthPlugin plugin = open();
        Authenticated verdict = authenticated(plugin, validCredentials());
        String id = verdict.subject().id();
        Secret stamp = verdict.stamp();
        Optional<Account> account = plugin.account(id);
        if (stamp == null) {
            assertEquals(Optional.empty(), account, "an account, and no stamp: its logins are never prolonged");
        } else {
            assertTrue(account.isPresent(), "a stamp, and no account of the subject's id");
            assertTrue(account.get().stamp().matches(stamp), "the account has another stamp than its login");
            Authenticated state = assertInstanceOf(
                    Authenticated.class, account.get().state(), "the account that just logged in may not log in");
            assertEquals(id, state.subject().id(), "the account is somebody else's");
        }
        assertEquals(Optional.empty(), plugin.account("nobody-of-this-name"), "an account that nobody has");
    }

    @Test
    final void challenge_isAFieldValue_andConstant() throws Exception {
        AuthPlugin plugin = open();
        Optional<String> challenge = plugin.challenge();
        challenge.ifPresent(text -> assertTrue(
                !text.isBlank() && text.chars().allMatch(c -> c >= 0x20 && c < 0x7f),
                () -> "not visible ASCII: " + Hostile.shown(List.of(text))));
        assertEquals(challenge, plugin.challenge(), "the second time");
    }

    @Test
    final void read_findsNothingInAnEmptyRequest() throws Exception {
        assertEquals(Optional.empty(), open().read(RequestContext.none()));
    }

    @Test
    final void read_takesAnyHeaderValue() throws Exception {
        AuthPlugin plugin = open();
        for (List<String> values : Hostile.headerValues()) {
            Optional<Credentials> read = assertDoesNotThrow(
                    () -> plugin.read(RequestContext.of(name -> values, Optional::empty)),
                    () -> "read threw for " + Hostile.shown(values));
            assertNotNull(read, "read answered null where it must answer empty");
            read.ifPresent(credentials -> assertNobody(answer(plugin, credentials)));
        }
    }

    @TestFactory
    final Stream<DynamicTest> read_findsValidCredentials() throws Exception {
        return requestWithValidCredentials().stream()
                .map(request -> dynamicTest("from a request", () -> {
                    AuthPlugin plugin = open();
                    Credentials read = plugin.read(request).orElseThrow(() -> new AssertionError("read found nothing"));
                    assertEquals(
                            authenticated(plugin, validCredentials()).subject(),
                            authenticated(plugin, read).subject());
                }));
    }

    @Test
    final void authorize_alwaysAnswers() throws Exception {
        AuthPlugin plugin = open();
        Subject known = authenticated(plugin, validCredentials()).subject();
        for (Subject subject : List.of(known, Subject.of("nobody-of-this-name"))) {
            for (String text : List.of("orders", "../..", "*", "%", "\0", "r".repeat(100_000))) {
                Permission permission = new Permission(text, text);
                Access access = assertDoesNotThrow(() -> plugin.authorize(subject, permission));
                assertNotNull(access, "authorize answered null; what it does not know, it abstains from");
                assertSame(access, plugin.authorize(subject, permission), "the second time");
            }
        }
    }

    @Test
    final void revoke_leavesAloneWhatProvesNobody() throws Exception {
        AuthPlugin plugin = open();
        assertFalse(plugin.revoke(new ForeignCredentials()), "claimed to revoke credentials of a kind nobody knows");
        assertFalse(plugin.revoke(wrongCredentials()), "claimed to revoke credentials that prove nobody");
        authenticated(plugin, validCredentials());
    }

    @Test
    final void revokedCredentials_areNotAuthenticatedAnyMore() throws Exception {
        AuthPlugin plugin = open();
        Credentials valid = validCredentials();
        authenticated(plugin, valid);
        if (plugin.revoke(valid)) {
            assertNobody(answer(plugin, valid));
        } else {
            authenticated(plugin, valid);
        }
    }

    @Test
    final void revokedSubject_isNotAuthenticatedWithWhatWasIssuedBefore() throws Exception {
        AuthPlugin plugin = open();
        Credentials valid = validCredentials();
        String id = authenticated(plugin, valid).subject().id();
        plugin.revokeAll("nobody-of-this-name", clock().instant());
        authenticated(plugin, valid);
        if (plugin.revokeAll(id, clock().instant())) {
            assertNobody(answer(plugin, valid));
        } else {
            authenticated(plugin, valid);
        }
    }

    @TestFactory
    final Stream<DynamicTest> outage_isAnExceptionAndNeverARejection() throws Exception {
        return newPluginInOutage().stream()
                .map(plugin -> dynamicTest("store down", () -> {
                    opened.add(plugin);
                    for (Credentials credentials : List.of(validCredentials(), wrongCredentials())) {
                        assertThrows(
                                AuthUnavailableException.class,
                                () -> plugin.authenticate(credentials, RequestContext.none()));
                    }
                }));
    }

    @Test
    final void closedPlugin_authenticatesNobody() throws Exception {
        AuthPlugin plugin = open();
        authenticated(plugin, validCredentials());
        plugin.close();
        assertDoesNotThrow(plugin::close, "closing twice must be the same as once");
        try {
            assertNobody(plugin.authenticate(validCredentials(), RequestContext.none()));
        } catch (AuthUnavailableException e) {
            // The other right answer: there is no store any more.
            assertNotNull(e.getMessage());
        }
    }

    @TestFactory
    final Stream<DynamicTest> factory_isFoundByItsType() {
        return factory().stream()
                .map(factory -> dynamicTest("factory", () -> {
                    PluginDirectory found = PluginDirectory.discover(getClass().getClassLoader());
                    assertTrue(
                            found.names().contains(factory.type()),
                            () -> "found only " + found.names() + found.broken());
                }));
    }

    @TestFactory
    final Stream<DynamicTest> factory_makesAPluginOfTheNameThatItIsGiven_andAsksForAllOfItsSettings() throws Exception {
        Optional<PluginConfig> settings = settings();
        return factory().filter(any -> settings.isPresent()).stream()
                .map(factory -> dynamicTest("factory", () -> {
                    PluginConfig config = settings.orElseThrow();
                    try (AuthPlugin plugin = factory.create("another-name", config)) {
                        assertEquals("another-name", plugin.name(), "two plugins of one type cannot be told apart");
                    }
                    assertEquals(Set.of(), config.unread(), "settings that the factory did not ask for");
                }));
    }

    private AuthPlugin open() throws Exception {
        AuthPlugin plugin = newPlugin();
        synchronized (opened) {
            opened.add(plugin);
        }
        return plugin;
    }

    private static boolean supports(AuthPlugin plugin, Credentials credentials) {
        return assertDoesNotThrow(
                () -> plugin.supports(credentials.getClass()), () -> "supports threw for " + kindOf(credentials));
    }

    private static String kindOf(Credentials credentials) {
        return credentials.getClass().getName();
    }

    private static Decision answer(AuthPlugin plugin, Credentials credentials) {
        Decision decision = assertDoesNotThrow(
                () -> plugin.authenticate(credentials, RequestContext.none()),
                () -> "threw where the contract asks for a value, for " + Hostile.shown(credentials));
        return assertInstanceOf(Decision.class, decision, "answered null where the contract asks for a value");
    }

    private static Authenticated authenticated(AuthPlugin plugin, Credentials credentials) {
        return assertInstanceOf(Authenticated.class, answer(plugin, credentials), "valid credentials");
    }

    private static void assertNobody(Decision decision) {
        assertNotNull(decision, "answered null where the contract asks for a value");
        assertFalse(decision instanceof Authenticated, () -> "must authenticate nobody, but answered " + decision);
    }

    /** Of a kind that only this class knows. */
    private record ForeignCredentials() implements Credentials {}
}

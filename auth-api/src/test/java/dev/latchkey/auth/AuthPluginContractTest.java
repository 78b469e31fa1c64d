package dev.latchkey.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.TicketPlugin.Ticket;
import dev.latchkey.auth.contract.AuthPluginContract;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The kit can fail: for each of its rules there is a plugin that breaks it, and the kit finds that. */
class AuthPluginContractTest {

    private static final String NAMED_BY_ITS_FACTORY =
            "factory_makesAPluginOfTheNameThatItIsGiven_andAsksForAllOfItsSettings";

    /** One rule, and a plugin that breaks it. */
    static Stream<Arguments> brokenPlugins() {
        return Stream.of(
                broken("name_isProperAndConstant", "improper name", () -> new TicketPlugin() {
                    @Override
                    public String name() {
                        return "Ticket Office";
                    }
                }),
                broken("name_isProperAndConstant", "name with a counter", () -> new TicketPlugin() {
                    private int calls;

                    @Override
                    public String name() {
                        return "ticket-" + calls++;
                    }
                }),
                broken("name_isProperAndConstant", "name per instance", () -> new TicketPlugin() {
                    @Override
                    public String name() {
                        return "ticket-" + System.identityHashCode(this);
                    }
                }),
                broken("validCredentials_areAuthenticatedAsTheSameSubjectEachTime", "subject per login", () -> {
                    return answering((plugin, credentials) -> valid(credentials)
                            ? Authenticated.as(Subject.of("login-" + System.nanoTime()))
                            : plugin.decide(credentials));
                }),
                broken("validCredentials_areAuthenticatedAsTheSameSubjectEachTime", "wipes what it was shown", () -> {
                    return answering((plugin, credentials) -> {
                        Decision decision = plugin.decide(credentials);
                        if (credentials instanceof Ticket ticket) {
                            ticket.secret().close();
                        }
                        return decision;
                    });
                }),
                broken("validUntil_isInTheFuture", "verdict that is over", () -> {
                    return answering((plugin, credentials) -> valid(credentials)
                            ? new Authenticated(TicketPlugin.ADA, Instant.EPOCH)
                            : plugin.decide(credentials));
                }),
                broken("wrongCredentials_areNeverAuthenticated", "everybody is welcome", () -> {
                    return answering((plugin, credentials) ->
                            credentials instanceof Ticket ? Authenticated.as(TicketPlugin.ADA) : Decision.abstained());
                }),
                broken("wrongCredentials_areNeverAuthenticated", "throws for wrong credentials", () -> {
                    return answering((plugin, credentials) -> {
                        if (plugin.decide(credentials) instanceof Rejected) {
                            throw new SecurityException("wrong ticket");
                        }
                        return plugin.decide(credentials);
                    });
                }),
                broken("wrongCredentials_areNeverAuthenticated", "first success opens the door for all", () -> {
                    return new TicketPlugin() {
                        private volatile boolean open;

                        @Override
                        public Decision authenticate(Credentials credentials, RequestContext context) {
                            open |= valid(credentials);
                            return open && credentials instanceof Ticket
                                    ? Authenticated.as(TicketPlugin.ADA)
                                    : super.authenticate(credentials, context);
                        }
                    };
                }),
                broken("unknownAccount_isNeverAuthenticated", "null for an unknown account", () -> {
                    return answering((plugin, credentials) ->
                            holds(credentials, "ticket-of-the-unknown") ? null : plugin.decide(credentials));
                }),
                broken("unrecognized_isSpentOnAnybody_andChangesNothing", "throws for an empty password", () -> {
                    return new TicketPlugin() {
                        @Override
                        public void unrecognized(PasswordCredentials credentials) {
                            credentials.password().withText(text -> text.charAt(0));
                        }
                    };
                }),
                broken("unrecognized_isSpentOnAnybody_andChangesNothing", "closes when it meets a stranger", () -> {
                    return new TicketPlugin() {
                        @Override
                        public void unrecognized(PasswordCredentials credentials) {
                            close();
                        }
                    };
                }),
                broken("challenge_isAFieldValue_andConstant", "ends the field", () -> {
                    return new TicketPlugin() {
                        @Override
                        public Optional<String> challenge() {
                            return Optional.of("Ticket\r\nX: y");
                        }
                    };
                }),
                broken("credentialsOfAForeignKind_areLeftToTheNextPlugin", "judges what it does not know", () -> {
                    return answering((plugin, credentials) -> credentials instanceof Ticket
                            ? plugin.decide(credentials)
                            : Rejected.because(RejectionReason.MALFORMED));
                }),
                broken("credentialsOfAForeignKind_areLeftToTheNextPlugin", "class cast", () -> {
                    return answering((plugin, credentials) -> plugin.decide((Ticket) credentials));
                }),
                broken(
                        "supports_isTrueOfWhatThePluginDecides",
                        "supports another kind than it decides",
                        () -> supporting(kind -> kind == BearerToken.class)),
                broken(
                        "supports_isTrueOfWhatThePluginDecides",
                        "throws for a class",
                        () -> supporting(kind -> {
                            throw new IllegalArgumentException(kind.getName());
                        })),
                broken("kindThatIsNotSupported_isLeftToTheNextPlugin", "judges what it does not support", () -> {
                    return answering((plugin, credentials) -> credentials instanceof BearerToken
                            ? Rejected.because(RejectionReason.MALFORMED)
                            : plugin.decide(credentials));
                }),
                broken(
                        "kindThatIsNotSupported_isLeftToTheNextPlugin",
                        "revokes what it does not support",
                        () -> new TicketPlugin() {
                            @Override
                            public boolean revoke(Credentials credentials) {
                                return credentials instanceof BearerToken || super.revoke(credentials);
                            }
                        }),
                broken(
                        "kindThatIsNotSupported_isLeftToTheNextPlugin",
                        "another answer each time",
                        () -> new TicketPlugin() {
                            private boolean last;

                            @Override
                            public boolean supports(Class<? extends Credentials> kind) {
                                last = !last;
                                return last;
                            }
                        }),
                broken("hostileCredentials_areAnsweredWithAValue", "throws for empty credentials", () -> {
                    return answering((plugin, credentials) -> {
                        if (credentials instanceof Ticket ticket) {
                            ticket.secret().withText(text -> text.charAt(0));
                        }
                        return plugin.decide(credentials);
                    });
                }),
                broken("hostileCredentials_areAnsweredWithAValue", "throws for a long password", () -> {
                    return answering((plugin, credentials) -> {
                        if (credentials instanceof PasswordCredentials p
                                && p.password().length() > 72) {
                            throw new IllegalArgumentException("too long");
                        }
                        return plugin.decide(credentials);
                    });
                }),
                broken("hostileCredentials_areAnsweredWithAValue", "believes an unsigned token", () -> {
                    return answering((plugin, credentials) -> credentials instanceof BearerToken token
                                    && token.token()
                                            .withText(text -> text.toString().endsWith("."))
                            ? Authenticated.as(TicketPlugin.ADA)
                            : plugin.decide(credentials));
                }),
                broken("manyThreads_getTheSameAnswers", "bound to the thread that made it", () -> {
                    Thread maker = Thread.currentThread();
                    return answering((plugin, credentials) -> maker.equals(Thread.currentThread())
                            ? plugin.decide(credentials)
                            : Rejected.because(RejectionReason.BAD_CREDENTIALS));
                }),
                broken("secrets_areNeverPrinted", "toString with the last secret seen", () -> new TicketPlugin() {
                    private String last = "";

                    @Override
                    public Decision authenticate(Credentials credentials, RequestContext context) {
                        if (credentials instanceof Ticket ticket) {
                            last = ticket.secret().withText(CharSequence::toString);
                        }
                        return super.authenticate(credentials, context);
                    }

                    @Override
                    public String toString() {
                        return last;
                    }
                }),
                broken("secrets_areNeverPrinted", "logs at a level that is usually off", () -> {
                    return answering((plugin, credentials) -> {
                        if (credentials instanceof Ticket ticket) {
                            System.getLogger("ticket")
                                    .log(
                                            System.Logger.Level.TRACE,
                                            ticket.secret().<String>withText(CharSequence::toString));
                        }
                        return plugin.decide(credentials);
                    });
                }),
                broken("secrets_areNeverPrinted", "subject named after the secret in hexadecimal", () -> {
                    return answering((plugin, credentials) -> valid(credentials)
                            ? Authenticated.as(Subject.of("7469636b65742d6f662d6164612d31383135"))
                            : plugin.decide(credentials));
                }),
                broken(
                        "read_findsNothingInAnEmptyRequest",
                        "reads credentials out of nothing",
                        () -> new TicketPlugin() {
                            @Override
                            public Optional<Credentials> read(RequestContext context) {
                                return Optional.of(Ticket.of("none"));
                            }
                        }),
                broken("stamp_isThatOfTheAccount_andWhoHasAccountsGivesStamps", "accounts without stamps", () -> {
                    return knowing(TicketPlugin.ADA, "hash", Authenticated.as(TicketPlugin.ADA));
                }),
                broken("stamp_isThatOfTheAccount_andWhoHasAccountsGivesStamps", "stamps without accounts", () -> {
                    return answering(
                            (plugin, credentials) -> valid(credentials) ? stamped("hash") : plugin.decide(credentials));
                }),
                broken("stamp_isThatOfTheAccount_andWhoHasAccountsGivesStamps", "stamp of something else", () -> {
                    return knowing(TicketPlugin.ADA, "hash", stamped("another"));
                }),
                broken("stamp_isThatOfTheAccount_andWhoHasAccountsGivesStamps", "somebody else's account", () -> {
                    return knowing(Subject.of("grace"), "hash", stamped("hash"));
                }),
                broken("read_takesAnyHeaderValue", "throws for a header value", () -> new TicketPlugin() {
                    @Override
                    public Optional<Credentials> read(RequestContext context) {
                        return context.headers().values("X-Ticket").stream()
                                .findFirst()
                                .map(Ticket::of);
                    }
                }),
                broken("read_findsValidCredentials", "never reads", () -> new TicketPlugin() {
                    @Override
                    public Optional<Credentials> read(RequestContext context) {
                        return Optional.empty();
                    }
                }),
                broken("authorize_alwaysAnswers", "null for what it does not know", () -> new TicketPlugin() {
                    @Override
                    public Access authorize(Subject subject, Permission permission) {
                        return subject.equals(TicketPlugin.ADA) ? Access.GRANTED : null;
                    }
                }),
                broken("authorize_alwaysAnswers", "throws for an odd permission", () -> new TicketPlugin() {
                    @Override
                    public Access authorize(Subject subject, Permission permission) {
                        return Access.valueOf(permission.action());
                    }
                }),
                broken("revoke_leavesAloneWhatProvesNobody", "claims to revoke anything", () -> new TicketPlugin() {
                    @Override
                    public boolean revoke(Credentials credentials) {
                        super.revoke(credentials);
                        return true;
                    }
                }),
                broken("revoke_leavesAloneWhatProvesNobody", "anybody logs everybody out", () -> new TicketPlugin() {
                    @Override
                    public boolean revoke(Credentials credentials) {
                        return super.revoke(Ticket.of(TicketPlugin.VALID)) && valid(credentials);
                    }
                }),
                broken(
                        "revokedCredentials_areNotAuthenticatedAnyMore",
                        "forgets revocations",
                        () -> new TicketPlugin() {
                            @Override
                            public boolean revoke(Credentials credentials) {
                                return valid(credentials);
                            }
                        }),
                broken(
                        "revokedCredentials_areNotAuthenticatedAnyMore",
                        "revokes and denies it",
                        () -> new TicketPlugin() {
                            @Override
                            public boolean revoke(Credentials credentials) {
                                super.revoke(credentials);
                                return false;
                            }
                        }),
                broken(
                        "revokedSubject_isNotAuthenticatedWithWhatWasIssuedBefore",
                        "forgets revocations",
                        () -> new TicketPlugin() {
                            @Override
                            public boolean revokeAll(String subjectId, Instant notBefore) {
                                return true;
                            }
                        }),
                broken(
                        "revokedSubject_isNotAuthenticatedWithWhatWasIssuedBefore",
                        "revokes everybody for one",
                        () -> new TicketPlugin() {
                            @Override
                            public boolean revokeAll(String subjectId, Instant notBefore) {
                                return super.revokeAll("ada", notBefore);
                            }
                        }),
                broken("closedPlugin_authenticatesNobody", "works on when closed", () -> new TicketPlugin() {
                    @Override
                    public void close() {}
                }),
                broken("closedPlugin_authenticatesNobody", "closes once only", () -> new TicketPlugin() {
                    private boolean closed;

                    @Override
                    public void close() {
                        if (closed) {
                            throw new IllegalStateException("closed");
                        }
                        closed = true;
                        super.close();
                    }
                }));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("brokenPlugins")
    void brokenPlugin_failsTheRuleThatItBreaks(String rule, String defect, Supplier<AuthPlugin> plugin) {
        assertThat(failedRules(() -> new Fixture(plugin))).contains(rule);
    }

    @Test
    void everyRule_hasAPluginThatBreaksIt() {
        Set<String> shownToFail = new TreeSet<>(
                Set.of("outage_isAnExceptionAndNeverARejection", "factory_isFoundByItsType", NAMED_BY_ITS_FACTORY));
        brokenPlugins().forEach(arguments -> shownToFail.add((String) arguments.get()[0]));
        assertThat(rules().map(Method::getName)).containsExactlyInAnyOrderElementsOf(shownToFail);
    }

    @Test
    void goodPlugin_failsNoRule() {
        assertThat(failedRules(() -> new Fixture(TicketPlugin::new))).isEmpty();
    }

    @Test
    void outageAnsweredAsRejection_failsTheKit() {
        assertThat(failedRules(() -> new Fixture(TicketPlugin::new) {
                    @Override
                    protected Optional<AuthPlugin> newPluginInOutage() {
                        return Optional.of(
                                answering((plugin, credentials) -> Rejected.because(RejectionReason.BAD_CREDENTIALS)));
                    }
                }))
                .containsExactly("outage_isAnExceptionAndNeverARejection");
    }

    @Test
    void secretInAnExceptionOfAnOutage_failsTheKit() {
        assertThat(failedRules(() -> new Fixture(TicketPlugin::new) {
                    @Override
                    protected Optional<AuthPlugin> newPluginInOutage() {
                        return Optional.of(answering((plugin, credentials) -> {
                            throw AuthUnavailableException.outage(
                                    "no answer", new IllegalStateException("SELECT " + TicketPlugin.VALID));
                        }));
                    }
                }))
                .containsExactly("secrets_areNeverPrinted");
    }

    @Test
    void factoryThatServiceLoaderDoesNotFind_failsTheKit() {
        assertThat(failedRules(() -> new FactoryFixture(Set.of()))).containsExactly("factory_isFoundByItsType");
    }

    @Test
    void factoryThatGivesEachPluginOneName_failsTheKit() {
        assertThat(failedRules(() -> new FactoryFixture(Set.of("url")) {
                    @Override
                    AuthPlugin made(String name) {
                        return new TicketPlugin();
                    }
                }))
                .contains(NAMED_BY_ITS_FACTORY);
    }

    @Test
    void factoryThatDoesNotAskForASetting_failsTheKit() {
        assertThat(failedRules(() -> new FactoryFixture(Set.of("url")))).doesNotContain(NAMED_BY_ITS_FACTORY);
        assertThat(failedRules(() -> new FactoryFixture(Set.of("url", "ulr")))).contains(NAMED_BY_ITS_FACTORY);
    }

    @Test
    void fixtureThatNamesNoSecret_failsTheKit() {
        assertThat(failedRules(() -> new Fixture(TicketPlugin::new) {
                    @Override
                    protected List<String> secretTexts() {
                        return List.of();
                    }
                }))
                .containsExactly("secrets_areNeverPrinted");
    }

    private static class Fixture extends TicketPluginContractTest {

        private final Supplier<AuthPlugin> plugin;

        Fixture(Supplier<AuthPlugin> plugin) {
            this.plugin = plugin;
        }

        @Override
        protected AuthPlugin newPlugin() {
            return plugin.get();
        }
    }

    /** With a factory that no loader finds, which asks for {@code url}. */
    private static class FactoryFixture extends Fixture {

        private final Map<String, String> settings;

        FactoryFixture(Set<String> settings) {
            super(TicketPlugin::new);
            this.settings = settings.stream().collect(Collectors.toMap(key -> key, key -> "x"));
        }

        AuthPlugin made(String name) {
            return new TicketPlugin() {
                @Override
                public String name() {
                    return name;
                }
            };
        }

        @Override
        protected Optional<AuthPluginFactory> factory() {
            return Optional.of(new AuthPluginFactory() {
                @Override
                public String type() {
                    return "ticket";
                }

                @Override
                public AuthPlugin create(String name, PluginConfig config) {
                    config.text("url");
                    return made(name);
                }
            });
        }

        @Override
        protected Optional<PluginConfig> settings() {
            return Optional.of(settings)
                    .filter(any -> !any.isEmpty())
                    .map(any -> PluginConfig.of("latchkey.plugin.ticket.", any));
        }
    }

    private interface Answer {
        Decision to(Answering plugin, Credentials credentials);
    }

    private static AuthPlugin answering(Answer answer) {
        return new Answering(answer);
    }

    private static AuthPlugin supporting(Predicate<Class<? extends Credentials>> answer) {
        return new TicketPlugin() {
            @Override
            public boolean supports(Class<? extends Credentials> kind) {
                return answer.test(kind);
            }
        };
    }

    /** Answers as told; {@link #decide} is the right answer. */
    private static final class Answering extends TicketPlugin {

        private final Answer answer;

        Answering(Answer answer) {
            this.answer = answer;
        }

        Decision decide(Credentials credentials) {
            return super.authenticate(credentials, RequestContext.none());
        }

        @Override
        public Decision authenticate(Credentials credentials, RequestContext context) {
            return answer.to(this, credentials);
        }
    }

    private static Arguments broken(String rule, String defect, Supplier<AuthPlugin> plugin) {
        return Arguments.of(rule, defect, plugin);
    }

    private static Authenticated stamped(String stamp) {
        return Authenticated.as(TicketPlugin.ADA).withStamp(Secret.of(stamp));
    }

    /** One that says this of valid tickets, and has this account with this stamp. */
    private static TicketPlugin knowing(Subject account, String stamp, Authenticated verdict) {
        return new TicketPlugin() {
            @Override
            public Decision authenticate(Credentials credentials, RequestContext context) {
                return valid(credentials) ? verdict : super.authenticate(credentials, context);
            }

            @Override
            public Optional<Account> account(String subjectId) {
                return subjectId.equals(ADA.id())
                        ? Optional.of(new Account(Authenticated.as(account), Secret.of(stamp)))
                        : Optional.empty();
            }
        };
    }

    private static boolean valid(Credentials credentials) {
        return holds(credentials, TicketPlugin.VALID);
    }

    private static boolean holds(Credentials credentials, String text) {
        return credentials instanceof Ticket ticket && ticket.secret().matches(Secret.of(text));
    }

    private static Stream<Method> rules() {
        return Arrays.stream(AuthPluginContract.class.getDeclaredMethods())
                .filter(method ->
                        method.isAnnotationPresent(Test.class) || method.isAnnotationPresent(TestFactory.class));
    }

    private static Set<String> failedRules(Supplier<AuthPluginContract> contract) {
        Set<String> failed = new TreeSet<>();
        rules().filter(rule -> fails(rule, contract.get())).map(Method::getName).forEach(failed::add);
        return failed;
    }

    private static boolean fails(Method rule, AuthPluginContract contract) {
        try {
            rule.setAccessible(true);
            if (rule.invoke(contract) instanceof Stream<?> tests) {
                for (Object test : tests.toList()) {
                    ((DynamicTest) test).getExecutable().execute();
                }
            }
            return false;
        } catch (InvocationTargetException e) {
            return true;
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        } catch (Throwable e) {
            return true;
        }
    }
}

package dev.latchkey.tests.contracts;

import static dev.latchkey.tests.contracts.Planted.fault;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.contract.PluginContract;
import dev.latchkey.auth.contract.Race;
import dev.latchkey.auth.factory.AuthPluginFactory;
import dev.latchkey.auth.factory.PluginConfigException;
import dev.latchkey.auth.factory.PluginEnvironment;
import dev.latchkey.auth.factory.PluginSetting;
import java.text.Normalizer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The findings of the kit of login sources, and the common rules of all kits. */
class SourceFaultsTest {

    private static final String ANSWERS = "answers_areRight_theFirstTimeAndLater";
    private static final String NEARLY = "secretThatIsNearlyRight_isWrong";
    private static final String SAME = "validCredentials_areTheSameSubjectEachTime";
    private static final String ENDS = "login_endsInTheFuture_andExpiredCredentialsAreRefused";
    private static final String STAMP = "stamp_isThatOfTheAccount";
    private static final String TIMES = "unknownAccount_takesTheTimeOfAWrongPassword";
    private static final String PRINTED = "secrets_areNeverPrinted";
    private static final String NAME = "name_isProper_andConstant";
    private static final String CLOSED = "closedPlugin_letsNobodyIn";
    private static final String SETTING = "settingThatIsWrong_isNamedByItsKey_andItsValueIsNotRepeated";

    private static final PluginSetting<String> URL = PluginSetting.text("url", "the address of the directory");

    private interface Answer {
        Decision to(PasswordCredentials login, PasswordPlugin right);
    }

    static Stream<Arguments> ofSecrets() {
        return Stream.of(
                fault(
                        "in any case",
                        NEARLY,
                        "the secret of the first account in upper case",
                        equal(String::equalsIgnoreCase)),
                fault(
                        "trims",
                        NEARLY,
                        "of the first account with a space before it",
                        equal((stored, given) -> stored.equals(given.trim()))),
                fault(
                        "cut as bcrypt cuts",
                        NEARLY,
                        "with a long secret cut after 72 characters",
                        equal((stored, given) -> cut(stored, 72).equals(cut(given, 72)))),
                fault(
                        "by the beginning",
                        NEARLY,
                        "of the first account with a space after it",
                        equal((stored, given) -> given.startsWith(stored))),
                fault(
                        "NFKC",
                        NEARLY,
                        "in full width (NFKC folds it)",
                        equal((stored, given) -> stored.equals(Normalizer.normalize(given, Normalizer.Form.NFKC)))),
                fault(
                        "zero-width characters are dropped",
                        NEARLY,
                        "with a zero-width space after it",
                        equal((stored, given) -> stored.equals(given.replace("\u200B", "")))),
                fault("logs the password", PRINTED, "a secret was printed as text", equal((stored, given) -> {
                    System.getLogger("passwords").log(System.Logger.Level.TRACE, given);
                    return stored.equals(given);
                })),
                fault(
                        "subject named by the password",
                        PRINTED,
                        "in hexadecimal",
                        answers((login, right) -> Authenticated.as(Subject.of("436f72726563742d486f7273652d37")))),
                fault(
                        "trims a secret of credentials that are no record",
                        NEARLY,
                        "of the first account with a space before it",
                        keys(given -> given.trim())),
                fault(
                        "logs a secret of credentials that are no record",
                        PRINTED,
                        "a secret was printed as text",
                        keys(given -> {
                            System.out.println("asked for " + given);
                            return given;
                        })),
                fault(
                        "credentials that the kit cannot create",
                        NEARLY,
                        "override credentialsWith()",
                        new Kits.Keys(KeyPlugin::new) {
                            @Override
                            protected Optional<Credentials> credentialsWith(String text) {
                                return Optional.empty();
                            }
                        }),
                fault(
                        "bound to the thread that made it",
                        "manyThreads_getTheSameAnswers",
                        "platform threads",
                        boundToAThread()),
                fault(
                        "a last user for all",
                        "accountsOnManyThreads_areNotMixedUp",
                        " account, beside the ",
                        lastUser()));
    }

    static Stream<Arguments> ofDecisions() {
        return Stream.of(
                fault("everybody is welcome", ANSWERS, "wrong credentials", equal((stored, given) -> true)),
                fault(
                        "challenge for a wrong password",
                        ANSWERS,
                        "wrong credentials",
                        passwords(() -> new PasswordPlugin() {
                            @Override
                            Decision wrong(Subject subject) {
                                return Challenged.by(Authenticated.as(subject), "pin");
                            }
                        })),
                fault(
                        "challenge for an unknown name",
                        "unknownAccount_isNeverAuthenticated",
                        "an unknown account",
                        answers((login, right) -> login.username().startsWith("nobody")
                                ? Challenged.by(Authenticated.as(Subject.of("nobody")), "pin")
                                : right.authenticate(login, RequestContext.none()))),
                fault("challenges, and is no step", SAME, "is no LoginStep", passwords(() -> new PasswordPlugin() {
                    @Override
                    Decision right(Subject subject) {
                        return Challenged.by(Authenticated.as(subject), "pin");
                    }
                })),
                fault(
                        "throws for a wrong password",
                        ANSWERS,
                        "threw java.lang.SecurityException",
                        passwords(() -> new PasswordPlugin() {
                            @Override
                            Decision wrong(Subject subject) {
                                throw new SecurityException("wrong");
                            }
                        })),
                fault("null for a wrong password", ANSWERS, "answered null", passwords(() -> new PasswordPlugin() {
                    @Override
                    Decision wrong(Subject subject) {
                        return null;
                    }
                })),
                fault(
                        "throws for an empty name",
                        "hostileCredentials_areAnsweredWithAValue",
                        "(0 characters)",
                        answers((login, right) -> login.username().charAt(0) == 'x'
                                ? Decision.abstained()
                                : right.authenticate(login, RequestContext.none()))),
                fault("a subject for each login", SAME, "", passwords(() -> new PasswordPlugin() {
                    @Override
                    Subject subject(String name) {
                        return Subject.of(name + System.nanoTime());
                    }
                })),
                fault(
                        "an interrupt is a wrong password",
                        "interruptedCaller_getsNoWrongAnswer",
                        "interrupted thread",
                        answers((login, right) -> Thread.interrupted()
                                ? Rejected.because(RejectionReason.BAD_CREDENTIALS)
                                : right.authenticate(login, RequestContext.none()))),
                fault(
                        "lower case of the server's locale",
                        "decisions_doNotDependOnTheDefaultLocale",
                        "'linus' in upper case",
                        folding(name -> name.toLowerCase(Locale.getDefault()))),
                fault(
                        "names in any case, and no account with an i",
                        "decisions_doNotDependOnTheDefaultLocale",
                        "a name with the letter i",
                        withoutAnI()),
                fault("a login that is over", ENDS, "already over", ending(Instant.EPOCH)),
                fault(
                        "a login that ends, and no expired credentials to try",
                        ENDS,
                        "override expiredCredentials()",
                        ending(Instant.MAX.minusSeconds(1))),
                fault("expired session is accepted", ENDS, "credentials that have expired", expired()),
                fault(
                        "one-time link is right twice",
                        "credentialsThatAreRightOnce_areRefusedTheSecondTime",
                        "that were used",
                        new Kits.Links(mailbox -> new LinkPlugin(mailbox) {
                            @Override
                            String use(String text) {
                                return mailbox.links.get(text);
                            }
                        })));
    }

    static Stream<Arguments> ofAccounts() {
        return Stream.of(
                fault("accounts without stamps", STAMP, "never refreshed", accounts(null, "hash", "ada")),
                fault("stamp of something else", STAMP, "another stamp", accounts("other", "hash", "ada")),
                fault("another account", STAMP, "is another one", accounts("hash", "hash", "grace")),
                fault(
                        "ignores case, and answers with the typed name",
                        "account_hasOneId_forAllSpellingsOfItsName",
                        "in upper case",
                        answers((login, right) -> right.authenticate(
                                                PasswordPlugin.login(
                                                        login.username().toLowerCase(Locale.ROOT),
                                                        login.password().withText(CharSequence::toString)),
                                                RequestContext.none())
                                        instanceof Authenticated
                                ? Authenticated.as(Subject.of(login.username()))
                                : Rejected.because(RejectionReason.BAD_CREDENTIALS))),
                fault(
                        "looks accounts up in any case, and answers with the asked name",
                        "account_hasOneId_forAllSpellingsOfItsName",
                        "account(), asked for an id in upper case",
                        passwords(() -> new PasswordPlugin() {
                            @Override
                            Decision right(Subject subject) {
                                return Authenticated.as(subject).withStamp(Secret.of("hash"));
                            }

                            @Override
                            public Optional<Verdict> account(String id) {
                                return id.equalsIgnoreCase("ada")
                                        ? Optional.of(
                                                Authenticated.as(Subject.of(id)).withStamp(Secret.of("hash")))
                                        : Optional.empty();
                            }
                        })),
                fault("stamp, and no account", STAMP, "no account of the subject's id", accounts("hash", null, "ada")),
                fault(
                        "no work for the unknown",
                        TIMES,
                        "an unknown account is answered in 0.0",
                        passwords(() -> new PasswordPlugin() {
                            @Override
                            void unknown() {}
                        })),
                fault(
                        "more work for the unknown",
                        TIMES,
                        "the time tells which accounts there are",
                        passwords(() -> new PasswordPlugin() {
                            @Override
                            void unknown() {
                                // On a loaded machine, a pause of the other call is often longer than five times the
                                // work.
                                for (int i = 0; i < 20; i++) {
                                    super.unknown();
                                }
                            }
                        })),
                fault(
                        "throws where it is unrecognized",
                        "unrecognized_takesAnyCredentials_andChangesNothing",
                        "threw",
                        passwords(() -> new PasswordPlugin() {
                            @Override
                            public void unrecognized(PasswordCredentials credentials) {
                                credentials.password().withText(text -> text.charAt(0));
                            }
                        })),
                fault(
                        "reusable for a day",
                        "reusableFor_isPositive_andAtMostFifteenMinutes",
                        "PT24H",
                        passwords(() -> new PasswordPlugin() {
                            @Override
                            public Optional<Duration> reusableFor() {
                                return Optional.of(Duration.ofDays(1));
                            }
                        })));
    }

    static Stream<Arguments> ofManners() {
        return Stream.of(
                fault("improper name", NAME, "", named("Ticket Office")),
                fault("name per instance", NAME, "another instance", named(null)),
                fault("goes on when closed", CLOSED, "lets somebody in", passwords(() -> new PasswordPlugin() {
                    @Override
                    public void close() {}
                })),
                fault("a timer", "closedPlugin_leavesNoThread", "the thread 'timer' outlives close()", passwords(() -> {
                    Thread timer = new Thread(SourceFaultsTest::forEver, "timer");
                    timer.setDaemon(true);
                    timer.start();
                    return new PasswordPlugin();
                })),
                fault(
                        "a plugin for another version of the SPI",
                        "factory_isFoundByItsType",
                        "spiVersion() is not SPI_VERSION",
                        of(new ScriptedFactory(AuthPluginFactory.SPI_VERSION + 1, List.of(URL), environment -> {}))),
                fault(
                        "a key described twice",
                        "settings_areDescribedOnceEach",
                        "a key occurs twice: [url, url]",
                        of(new ScriptedFactory(AuthPluginFactory.SPI_VERSION, List.of(URL, URL), environment -> {}))),
                fault(
                        "a setting's value in a message",
                        SETTING,
                        "repeats the value",
                        settings((value, key) -> new PluginConfigException(key + " must be an address, not " + value))),
                fault(
                        "a setting's key in no message",
                        SETTING,
                        "does not name the key",
                        settings((value, key) -> new PluginConfigException("must be an address"))),
                fault(
                        "a setting that throws",
                        SETTING,
                        "threw java.lang.IllegalArgumentException",
                        settings((value, key) -> new IllegalArgumentException(key))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"ofSecrets", "ofDecisions", "ofAccounts", "ofManners"})
    void plantedFault_isFound_andTheInputNamed(String what, String rule, String says, PluginContract<?> kit) {
        Planted.assertFound(rule, says, kit);
    }

    /** Only the lock of an instance is between the comparison with the link and its removal. */
    @Test
    void linkThatPassesOnceAtEachInstance_isFound() {
        TwoNodes instances = new TwoNodes();
        PluginContract<?> kit = new Kits.Links(mailbox -> {
            instances.opened();
            return new LinkPlugin(mailbox) {
                @Override
                synchronized String use(String text) {
                    String account = mailbox.links.get(text);
                    if (account != null) {
                        instances.meet(text);
                        mailbox.links.remove(text);
                    }
                    return account;
                }
            };
        });
        assertThat(KitRun.failure("credentialsThatAreRightOnce_areRefusedTheSecondTime", "at once", kit))
                .hasValueSatisfying(failure -> assertThat(failure)
                        .hasMessageContaining("logins by the same one-time credentials, shown at once at two instances")
                        .hasMessageContaining("<2>"));
    }

    private static PluginContract<?> passwords(Supplier<? extends LoginSource<?>> plugin) {
        return new Kits.Passwords(plugin);
    }

    private static PluginContract<?> equal(BiPredicate<String, String> equality) {
        return passwords(() -> new PasswordPlugin() {
            @Override
            boolean matches(String stored, String given) {
                return equality.test(stored, given);
            }
        });
    }

    private static PluginContract<?> keys(UnaryOperator<String> reading) {
        return new Kits.Keys(() -> new KeyPlugin() {
            @Override
            boolean isRight(Secret given) {
                return super.isRight(Secret.of(reading.apply(given.withText(CharSequence::toString))));
            }
        });
    }

    private static PluginContract<?> answers(Answer answer) {
        return passwords(() -> {
            PasswordPlugin right = new PasswordPlugin();
            return new PasswordPlugin() {
                @Override
                public Decision authenticate(PasswordCredentials login, RequestContext context) {
                    return answer.to(login, right);
                }
            };
        });
    }

    private static PluginContract<?> ending(Instant end) {
        return new Kits.Passwords(() -> endingAt(end));
    }

    private static PasswordPlugin endingAt(Instant end) {
        return new PasswordPlugin() {
            @Override
            Decision right(Subject subject) {
                return new Authenticated(subject, end);
            }
        };
    }

    private static PluginContract<?> expired() {
        return new Kits.Passwords(() -> endingAt(Instant.now().plusSeconds(60))) {
            @Override
            protected Optional<Credentials> expiredCredentials() {
                return Optional.of(PasswordPlugin.GRACE);
            }
        };
    }

    private static PasswordPlugin foldingBy(UnaryOperator<String> fold) {
        return new PasswordPlugin() {
            @Override
            String accountOf(String username) {
                return fold.apply(username);
            }
        };
    }

    private static PluginContract<?> folding(UnaryOperator<String> fold) {
        return passwords(() -> foldingBy(fold));
    }

    private static PluginContract<?> withoutAnI() {
        return new Kits.Passwords(() -> foldingBy(name -> name.toLowerCase(Locale.ROOT))) {
            @Override
            protected Optional<Credentials> credentialsWithLongSecret() {
                return Optional.empty();
            }
        };
    }

    private static PluginContract<?> accounts(String stampOfLogin, String stampOfAccount, String account) {
        return passwords(() -> new PasswordPlugin() {
            @Override
            Decision right(Subject subject) {
                Authenticated login = Authenticated.as(subject);
                return stampOfLogin == null ? login : login.withStamp(Secret.of(stampOfLogin));
            }

            @Override
            public Optional<Verdict> account(String subjectId) {
                return stampOfAccount == null || !subjectId.equals("ada")
                        ? Optional.empty()
                        : Optional.of(Authenticated.as(Subject.of(account)).withStamp(Secret.of(stampOfAccount)));
            }
        });
    }

    private static PluginContract<?> named(String name) {
        return passwords(() -> new PasswordPlugin() {
            @Override
            public String name() {
                return name == null ? "passwords-" + System.identityHashCode(this) : name;
            }
        });
    }

    private interface Failure {
        RuntimeException of(String value, String key);
    }

    private static PluginContract<?> settings(Failure failure) {
        return of(new ScriptedFactory(AuthPluginFactory.SPI_VERSION, List.of(URL), environment -> {
            String value = environment.find(URL).orElse("");
            if (!value.equals("https://directory.example")) {
                throw failure.of(value, "url");
            }
        }));
    }

    private record ScriptedFactory(int spiVersion, List<PluginSetting<?>> settings, Consumer<PluginEnvironment> check)
            implements AuthPluginFactory {

        @Override
        public String type() {
            return "passwords";
        }

        @Override
        public AuthPlugin create(PluginEnvironment environment) {
            check.accept(environment);
            return new PasswordPlugin();
        }
    }

    private static PluginContract<?> of(AuthPluginFactory factory) {
        return new Kits.Passwords(PasswordPlugin::new) {
            @Override
            protected Optional<AuthPluginFactory> factory() {
                return Optional.of(factory);
            }

            @Override
            protected Map<String, String> settings() {
                return Map.of("url", "https://directory.example");
            }
        };
    }

    private static PluginContract<?> boundToAThread() {
        return answers((login, right) -> Thread.currentThread().getName().startsWith("contract kit")
                ? right.authenticate(login, RequestContext.none())
                : Rejected.because(RejectionReason.BAD_CREDENTIALS));
    }

    private static PluginContract<?> lastUser() {
        return passwords(() -> new PasswordPlugin() {
            private volatile String last = "";

            @Override
            boolean matches(String stored, String given) {
                return stored.equals(given);
            }

            @Override
            Subject subject(String name) {
                last = name;
                Race.letOthersIn();
                return Subject.of(last);
            }
        });
    }

    private static String cut(String text, int length) {
        return text.substring(0, Math.min(text.length(), length));
    }

    private static void forEver() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package dev.latchkey.auth;

import static dev.latchkey.auth.ContractRun.answering;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.TicketPlugin.Ticket;
import dev.latchkey.auth.contract.AuthPluginContract;
import dev.latchkey.auth.contract.Race;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the kit finds, and that it says for which input. */
class AuthPluginContractFindsTest {

    private static final String NEARLY = "secretThatIsNearlyRight_isWrong";
    private static final String MIXED_UP = "accountsOnManyThreads_areNotMixedUp";
    private static final String NOT_DECIDED = "kindThatThePluginDoesNotDecide_isLeftToTheNextPlugin";
    private static final String TWO_VALUES = "read_believesNeitherOfTwoValues";

    /** A rule, a plugin that breaks it, and the input that the failure names. */
    static Stream<Arguments> broken() {
        return Stream.of(
                passwords("without case", String::equalsIgnoreCase, "of the first account in upper case"),
                passwords("trimmed", (stored, given) -> stored.equals(given.trim()), "with a space before it"),
                passwords(
                        "cut at 8",
                        (stored, given) -> cut(stored, 8).equals(cut(given, 8)),
                        "of the first account cut after 8 characters"),
                passwords(
                        "cut at 72",
                        (stored, given) -> cut(stored, 72).equals(cut(given, 72)),
                        "of the account with a long secret cut after 72 characters"),
                passwords(
                        "cut at 99",
                        (stored, given) -> cut(stored, 99).equals(cut(given, 99)),
                        "of the account with a long secret without its last character"),
                passwords("by their beginning", (stored, given) -> given.startsWith(stored), "with a space after it"),
                passwords(
                        "by their beginning, the other way",
                        (stored, given) -> stored.startsWith(given),
                        "of the first account cut after 1 characters"),
                finds(MIXED_UP, "a last user for all", " account, beside the ", () -> lastUserForAll()),
                finds(NOT_DECIDED, "rejects others' passwords", "the name 'ada' with the password", () -> {
                    return answering((plugin, credentials) -> credentials instanceof PasswordCredentials
                            ? Rejected.because(RejectionReason.BAD_CREDENTIALS)
                            : plugin.decide(credentials));
                }),
                finds(NOT_DECIDED, "rejects others' tokens", "the bearer token any password", () -> {
                    return answering((plugin, credentials) -> credentials instanceof BearerToken
                            ? Rejected.because(RejectionReason.MALFORMED)
                            : plugin.decide(credentials));
                }),
                finds("pluginThatWantsASecondStep_supportsTheResponse", "is never asked", "never asked", () -> {
                    return new TicketPlugin() {
                        @Override
                        public boolean supports(Class<? extends Credentials> kind) {
                            return kind == Ticket.class;
                        }

                        @Override
                        public Optional<Challenged> secondStep(Authenticated login, RequestContext context) {
                            return Optional.of(Challenged.by(login, "pin"));
                        }
                    };
                }),
                finds(TWO_VALUES, "the first", "a valid value, then another", () -> reading(values -> values.get(0))),
                finds(TWO_VALUES, "the last", "another value, then a valid one", () -> {
                    return reading(values -> values.get(values.size() - 1));
                }),
                finds(TWO_VALUES, "before the comma", "a valid value and another in one line", () -> {
                    return reading(values -> values.size() == 1 ? values.get(0).replaceAll(",.*", "") : "");
                }),
                finds("closedPlugin_leavesNoThread", "a timer", "the thread 'ticket timer' outlives close()", () -> {
                    Thread timer = new Thread(AuthPluginContractFindsTest::waitForEver, "ticket timer");
                    timer.setDaemon(true);
                    timer.start();
                    return new TicketPlugin();
                }),
                finds(
                        "unknownAccount_takesTheTimeOfAWrongPassword",
                        "no work for the unknown",
                        "an unknown account is answered in 0.0",
                        () -> new PasswordPlugin() {
                            @Override
                            void unknown() {}
                        }),
                finds(
                        "unknownAccount_takesTheTimeOfAWrongPassword",
                        "more work for the unknown",
                        "an unknown account is answered in ",
                        () -> new PasswordPlugin() {
                            @Override
                            void unknown() {
                                for (int i = 0; i < 5; i++) {
                                    super.unknown();
                                }
                            }
                        }),
                finds("authorize_grantsNothingToWhoIsUnknown", "grants", "resource and action orders", () -> {
                    return new TicketPlugin() {
                        @Override
                        public Access authorize(Subject subject, Permission permission) {
                            return permission.resource().equals("orders") ? Access.GRANTED : Access.DENIED;
                        }
                    };
                }),
                finds("authorize_alwaysAnswers", "throws", "the subject 'ada', resource and action *", () -> {
                    return new TicketPlugin() {
                        @Override
                        public Access authorize(Subject subject, Permission permission) {
                            Pattern.compile(permission.resource());
                            return Access.ABSTAINED;
                        }
                    };
                }),
                finds("hostileCredentials_areAnsweredWithAValue", "a long one", "(73 characters)", () -> {
                    return answering((plugin, credentials) -> credentials instanceof Ticket ticket
                                    && ticket.secret().length() == 73
                            ? Authenticated.as(TicketPlugin.ADA)
                            : plugin.decide(credentials));
                }));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("broken")
    void brokenPlugin_isFound_andTheInputNamed(String rule, String defect, Supplier<AuthPlugin> plugin, String input) {
        assertThat(ContractRun.failure(rule, fixture(plugin)))
                .hasValueSatisfying(failure -> assertThat(failure.getMessage()).contains(input));
    }

    private static AuthPluginContract fixture(Supplier<AuthPlugin> plugin) {
        if (plugin.get() instanceof PasswordPlugin) {
            return new PasswordPluginContractTest() {
                @Override
                protected AuthPlugin newPlugin() {
                    return plugin.get();
                }
            };
        }
        return new ContractRun.Fixture(plugin);
    }

    private static Arguments finds(String rule, String defect, String input, Supplier<AuthPlugin> plugin) {
        return Arguments.of(rule, defect, plugin, input);
    }

    private static Arguments passwords(String defect, BiPredicate<String, String> equality, String input) {
        return finds(NEARLY, defect, input, () -> new PasswordPlugin() {
            @Override
            boolean matches(String stored, String given) {
                return equality.test(stored, given);
            }
        });
    }

    private static String cut(String text, int length) {
        return text.substring(0, Math.min(text.length(), length));
    }

    private static AuthPlugin lastUserForAll() {
        return new PasswordPlugin() {
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
        };
    }

    private static AuthPlugin reading(Function<List<String>, String> choice) {
        return new TicketPlugin() {
            @Override
            public Optional<Credentials> read(RequestContext context) {
                List<String> values = context.headers().values("X-Ticket");
                return values.isEmpty() ? Optional.empty() : Optional.of(Ticket.of(choice.apply(values)));
            }
        };
    }

    private static void waitForEver() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package dev.latchkey.tests.contracts;

import static dev.latchkey.tests.contracts.Planted.fault;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.contract.PluginContract;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the kit of login steps finds. */
class StepFaultsTest {

    private static final String ANSWERS = "answers_areRight_theFirstTimeAndLater";
    private static final String DAMAGED = "responseThatIsDamaged_isRefused";
    private static final String NEARLY = "responseThatIsNearlyRight_isRefused";
    private static final String OTHERS = "responseOfAnotherAccount_isRefused";
    private static final String ONCE = "responseThatIsRightOnce_isRefusedInAnotherLogin";
    private static final String PRINTED = "secrets_areNeverPrinted";
    private static final String SHOWN = "challenge_showsNeitherTheResponseNorTheState";
    private static final String WANTED = "wanted_takesAnyLogin";
    private static final String NOT_ASKED = "loginWithoutStep_isNotAsked";
    private static final String CLOSED = "closedPlugin_letsNobodyIn";
    private static final String WITHOUT = "loginIsNotComplete_withoutTheStep";
    private static final String UNKNOWN = "requestWithoutToken_isFromNoKnownDevice";
    private static final String DEVICE = "device_isKnownByItsToken_forItsAccountAlone";

    private interface Check {
        boolean test(String account, String given);
    }

    private interface Answer {
        StepResult to(ChallengeResponse response, PinStep right);
    }

    private interface Wanted {
        Optional<Challenged> of(Authenticated login, PinStep right);
    }

    private interface Knows {
        boolean device(PinStep step, Authenticated login, RequestContext context);
    }

    static Stream<Arguments> ofResponses() {
        return Stream.of(
                fault("any PIN is right", ANSWERS, "a wrong response", pins((account, given) -> true)),
                fault(
                        "any PIN of six digits",
                        ANSWERS,
                        "a wrong response",
                        pins((account, given) -> given.length() == 6)),
                fault(
                        "an empty PIN",
                        DAMAGED,
                        "the field code with  (0 characters)",
                        pins((account, given) -> given.isEmpty() || given.equals(PinStep.PINS.get(account)))),
                fault(
                        "a PIN that begins as the right one",
                        NEARLY,
                        "cut after 1 characters",
                        pins((account, given) ->
                                !given.isEmpty() && PinStep.PINS.get(account).startsWith(given))),
                fault(
                        "trims",
                        NEARLY,
                        "with a space before it",
                        pins((account, given) -> given.trim().equals(PinStep.PINS.get(account)))),
                fault(
                        "trims a code that one guess voids",
                        NEARLY,
                        "with a space before it",
                        new Kits.Codes(mailbox -> new OneGuessStep(mailbox) {
                            @Override
                            boolean isRight(String account, String number, String given) {
                                return super.isRight(account, number, given.strip());
                            }
                        })),
                fault(
                        "accepts a code without the PIN",
                        DAMAGED,
                        "a response without the field pin",
                        new Kits.CodesAndPins(mailbox -> new CodeAndPinStep(mailbox) {
                            @Override
                            boolean isRightPin(String account, Optional<Secret> pin) {
                                return pin.isEmpty() || super.isRightPin(account, pin);
                            }
                        })),
                fault(
                        "takes a number, so that a sign passes",
                        DAMAGED,
                        "threw java.lang.NumberFormatException",
                        pins((account, given) ->
                                Integer.parseInt(given) == Integer.parseInt(PinStep.PINS.get(account)))),
                fault(
                        "the PIN of any account",
                        OTHERS,
                        "another login's challenge",
                        pins((account, given) -> PinStep.PINS.containsValue(given))),
                fault(
                        "response without a field passes",
                        DAMAGED,
                        "a response without fields",
                        answers((response, right) -> response.code().isEmpty()
                                ? Passed.step()
                                : right.answer(response, RequestContext.none()))),
                fault(
                        "response throws",
                        DAMAGED,
                        "threw java.util.NoSuchElementException",
                        answers((response, right) -> {
                            return response.code().orElseThrow().length() > 1_000
                                    ? Rejected.because(RejectionReason.MALFORMED)
                                    : right.answer(response, RequestContext.none());
                        })),
                fault(
                        "response needs more memory than there is",
                        ANSWERS,
                        "threw java.lang.OutOfMemoryError",
                        answers((response, right) -> {
                            throw new OutOfMemoryError("planted");
                        })),
                fault("response is answered null", ANSWERS, "answered null", answers((response, right) -> null)),
                fault(
                        "the right response is rejected",
                        ANSWERS,
                        "the right response",
                        answers((response, right) -> Rejected.because(RejectionReason.BAD_CREDENTIALS))),
                fault(
                        "one wrong PIN locks the account",
                        "rightResponse_isRight_afterAWrongOne",
                        "after a wrong one",
                        locks()),
                fault(
                        "an interrupt is a wrong PIN",
                        "interruptedCaller_getsNoWrongAnswer",
                        "interrupted thread",
                        answers((response, right) -> Thread.interrupted()
                                ? Rejected.because(RejectionReason.BAD_CREDENTIALS)
                                : right.answer(response, RequestContext.none()))),
                fault(
                        "an interrupt is swallowed",
                        "interruptedCaller_getsNoWrongAnswer",
                        "set the flag of the interrupted thread again",
                        answers((response, right) -> {
                            if (Thread.interrupted()) {
                                throw AuthUnavailableException.outage("interrupted");
                            }
                            return right.answer(response, RequestContext.none());
                        })),
                fault(
                        "passed until yesterday",
                        "passedStep_endsInTheFuture_andFitsIntoTheLogin",
                        "already over",
                        answers((response, right) ->
                                right.answer(response, RequestContext.none()) instanceof Passed passed
                                        ? passed.until(Instant.EPOCH)
                                        : Rejected.because(RejectionReason.BAD_CREDENTIALS))),
                fault(
                        "more factors than a login has",
                        "passedStep_endsInTheFuture_andFitsIntoTheLogin",
                        "factors",
                        answers((response, right) ->
                                right.answer(response, RequestContext.none()) instanceof Passed passed
                                        ? passed.withFactors("a", "b", "c", "d", "e", "f", "g", "h", "i")
                                        : Rejected.because(RejectionReason.BAD_CREDENTIALS))),
                fault("never returns", ANSWERS, "no answer within", answers((response, right) -> forEver())),
                fault(
                        "a code is right twice",
                        ONCE,
                        "in another login",
                        codes((mailbox, number, given) -> mailbox.codes.containsValue(given))),
                fault(
                        "a code is right for another login's challenge",
                        OTHERS,
                        "another login's challenge",
                        codes((mailbox, number, given) -> mailbox.codes.values().remove(given))));
    }

    /** Locks the account for good after one response. */
    private static PluginContract<?> locks() {
        AtomicInteger responses = new AtomicInteger();
        return answers((response, right) -> responses.getAndIncrement() == 0
                ? right.answer(response, RequestContext.none())
                : Rejected.because(RejectionReason.ACCOUNT_LOCKED));
    }

    static Stream<Arguments> ofLogins() {
        return Stream.of(
                fault("step throws", WANTED, "threw java.lang.IllegalStateException", wants((login, right) -> {
                    if (login.subject().authorities().isEmpty()) {
                        throw new IllegalStateException("no authorities");
                    }
                    return right.wanted(login, RequestContext.none());
                })),
                fault("wanted is null", "loginWithoutStep_isNotAsked", "answered null", wants((login, right) -> {
                    Optional<Challenged> wanted = right.wanted(login, RequestContext.none());
                    return wanted.isEmpty() ? null : wanted;
                })),
                fault(
                        "unbounded parameters",
                        WANTED,
                        "a login with all claims",
                        wants((login, right) -> Optional.of(Challenged.by(login, "pin")
                                .withParameter(
                                        "about",
                                        login.subject().claims()
                                                + login.subject().id())))),
                fault(
                        "another method each time",
                        "challenge_isForThisLogin_byTheSameMethodEachTime",
                        "several methods",
                        wants((login, right) -> Optional.of(
                                Challenged.by(login, "pin-of-" + login.subject().id())))),
                fault(
                        "asks everybody",
                        NOT_ASKED,
                        "a login that has none",
                        wants((login, right) -> Optional.of(Challenged.by(login, "pin")))),
                fault(
                        "asks accounts of another source",
                        NOT_ASKED,
                        "after a login of another source",
                        wants((login, right) -> login.plugin().isEmpty()
                                ? right.wanted(login, RequestContext.none())
                                : Optional.of(Challenged.by(login, "pin")))),
                fault(
                        "takes the subject of another source for its own",
                        "subjectOfAnotherSource_isAnotherAccount",
                        "took the response of ada for the subject another-source:ada",
                        namesakes()),
                fault(
                        "takes the id of its own challenge for the name",
                        "ownStepOfASource_isPassed_whereIdsHaveThePrefixOfTheSource",
                        "the right response of the subject pin:ada",
                        new Kits.OwnPins(() -> new PinSource() {
                            @Override
                            String accountOf(Challenged challenge) {
                                return challenge.soFar().subject().id();
                            }
                        })),
                fault(
                        "the code is a parameter",
                        SHOWN,
                        "in the parameters of a challenge",
                        new Kits.Codes(mailbox -> new CodeStep(mailbox) {
                            @Override
                            Challenged challenge(Authenticated login, String number) {
                                String account = login.subject().id();
                                return super.challenge(login, number)
                                        .withParameter("hint", mailbox.codes.get(account + " " + number));
                            }
                        })),
                fault(
                        "the state is a parameter",
                        SHOWN,
                        "in the parameters of a challenge",
                        new Kits.Codes(mailbox -> new CodeStep(mailbox) {
                            @Override
                            Challenged challenge(Authenticated login, String number) {
                                return super.challenge(login, number).withParameter("hint", number);
                            }
                        })),
                fault(
                        "keeps the state in a field",
                        "challengesOfTwoLogins_areNotMixedUp",
                        "after another login",
                        lastNumber()),
                fault(
                        "forgets the state",
                        ANSWERS,
                        "the right response",
                        new Kits.Codes(mailbox -> new CodeStep(mailbox) {
                            @Override
                            Challenged challenge(Authenticated login, String number) {
                                return Challenged.by(login, "mail");
                            }
                        })),
                fault("closed plugin goes on", CLOSED, "lets somebody in", pin(() -> new PinStep() {
                    @Override
                    public void close() {}
                })),
                fault("closed plugin wants nothing", WITHOUT, "let a login through", pin(() -> new PinStep() {
                    private volatile boolean closed;

                    @Override
                    public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
                        return closed ? Optional.empty() : super.wanted(login, context);
                    }

                    @Override
                    public void close() {
                        closed = true;
                    }
                })));
    }

    static Stream<Arguments> ofSecretsAndDevices() {
        return Stream.of(
                fault("the code is in toString", PRINTED, "a secret was printed", pin(() -> new PinStep() {
                    private volatile String last = "";

                    @Override
                    boolean matches(String account, String given) {
                        last = given;
                        return super.matches(account, given);
                    }

                    @Override
                    public String toString() {
                        return "PinStep[" + last + "]";
                    }
                })),
                fault("the code is in a log", PRINTED, "a secret was printed", pins((account, given) -> {
                    System.getLogger("pin").log(System.Logger.Level.DEBUG, "{0} for {1}", given, account);
                    return given.equals(PinStep.PINS.get(account));
                })),
                fault(
                        "knows every device",
                        UNKNOWN,
                        "a request without a token",
                        devices((step, login, request) -> true)),
                fault(
                        "knows any token",
                        UNKNOWN,
                        "the header values",
                        devices((step, login, request) ->
                                !request.header("X-Device").isEmpty())),
                fault(
                        "knows the account once a device is remembered",
                        UNKNOWN,
                        "after a device was remembered",
                        devices((step, login, request) ->
                                step.devices.containsValue(login.subject().id()))),
                fault(
                        "a device of another account",
                        DEVICE,
                        "a device of another account",
                        devices((step, login, request) ->
                                request.header("X-Device").stream().anyMatch(step.devices::containsKey))),
                fault(
                        "a token in any case",
                        DEVICE,
                        "the token in upper case",
                        devices((step, login, request) -> request.header("X-Device").stream()
                                .anyMatch(token -> login.subject()
                                        .id()
                                        .equals(step.devices.get(token.toLowerCase(Locale.ROOT)))))),
                fault(
                        "forgets the device",
                        DEVICE,
                        "does not know the device",
                        devices((step, login, request) -> false)),
                fault(
                        "the device's token is in a log",
                        "tokenOfADevice_isNeverPrinted",
                        "a secret was printed",
                        pin(() -> new PinStep() {
                            @Override
                            public Optional<RememberedDevice> remember(Authenticated login, RequestContext context) {
                                Optional<RememberedDevice> device = super.remember(login, context);
                                System.out.println("remembered " + devices.keySet());
                                return device;
                            }
                        })),
                fault(
                        "the device's token cannot be sent",
                        DEVICE,
                        "override requestFromDevice()",
                        new Kits.Codes(mailbox -> new CodeStep(mailbox) {
                            @Override
                            public Optional<RememberedDevice> remember(Authenticated login, RequestContext context) {
                                return Optional.of(new RememberedDevice(Secret.of("a-token"), Duration.ofDays(1)));
                            }
                        })));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"ofResponses", "ofLogins", "ofSecretsAndDevices"})
    void plantedFault_isFound_andTheInputNamed(String what, String rule, String says, PluginContract<?> kit) {
        Planted.assertFound(rule, says, kit);
    }

    /** Only the lock of an instance is between the comparison with the code and its removal. */
    @Test
    void codeThatPassesOnceAtEachInstance_isFound() {
        TwoNodes instances = new TwoNodes();
        Mailbox codes = new Mailbox();
        PluginContract<?> kit = new Kits.Steps() {
            @Override
            protected LoginStep newPlugin() {
                instances.opened();
                return new PinStep() {
                    @Override
                    synchronized boolean matches(String account, String given) {
                        boolean isRight = account.equals(codes.links.get(given));
                        if (isRight) {
                            instances.meet(given);
                            codes.links.remove(given);
                        }
                        return isRight;
                    }
                };
            }

            @Override
            protected Map<String, Secret> rightResponse(Challenged challenge) {
                return Map.of("code", codes.mailLink(challenge.soFar().subject().id()));
            }
        };
        assertThat(KitRun.failure(ONCE, "at once", kit))
                .hasValueSatisfying(failure -> assertThat(failure)
                        .hasMessageContaining("2 logins were passed by one response, shown at once at two instances"));
    }

    private static PluginContract<?> pin(Supplier<? extends LoginStep> plugin) {
        return new Kits.Pins(plugin);
    }

    private static PluginContract<?> pins(Check check) {
        return pin(() -> new PinStep() {
            @Override
            boolean matches(String account, String given) {
                return check.test(account, given);
            }
        });
    }

    private static PluginContract<?> answers(Answer answer) {
        return pin(() -> {
            PinStep right = new PinStep();
            return new PinStep() {
                @Override
                public StepResult answer(ChallengeResponse response, RequestContext context) {
                    return answer.to(response, right);
                }
            };
        });
    }

    private static PluginContract<?> wants(Wanted wanted) {
        return pin(() -> {
            PinStep right = new PinStep();
            return new PinStep() {
                @Override
                public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
                    return wanted.of(login, right);
                }
            };
        });
    }

    private static PluginContract<?> devices(Knows knows) {
        return pin(() -> new PinStep() {
            @Override
            public boolean knowsDevice(Authenticated login, RequestContext context) {
                return knows.device(this, login, context);
            }
        });
    }

    private interface CodeCheck {
        boolean test(Mailbox mailbox, String number, String given);
    }

    private static PluginContract<?> codes(CodeCheck check) {
        Function<Mailbox, CodeStep> plugin = mailbox -> new CodeStep(mailbox) {
            @Override
            boolean isRight(String account, String number, String given) {
                return check.test(mailbox, number, given);
            }
        };
        return new Kits.Codes(plugin);
    }

    private static PluginContract<?> lastNumber() {
        return new Kits.Codes(mailbox -> new CodeStep(mailbox) {
            private volatile String last = "";

            @Override
            Challenged challenge(Authenticated login, String number) {
                last = number;
                return super.challenge(login, number);
            }

            @Override
            String numberOf(Challenged challenge) {
                return last;
            }
        });
    }

    private static PluginContract<?> namesakes() {
        return pin(() -> new PinStep() {
            @Override
            public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
                return super.wanted(login.withSubject(login.subject().withId(own(login))), context)
                        .map(any -> Challenged.by(login, "pin"));
            }

            @Override
            boolean matches(String account, String given) {
                return super.matches(account.substring(account.indexOf(':') + 1), given);
            }

            private String own(Authenticated login) {
                String id = login.subject().id();
                return id.substring(id.indexOf(':') + 1);
            }
        });
    }

    private static StepResult forEver() {
        while (true) {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                // A plugin that does not listen.
            }
        }
    }
}

package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardTime.WakeUp;
import dev.latchkey.auth.guard.LoginLimit;
import dev.latchkey.auth.guard.bucket.LimitKeys.Who;
import dev.latchkey.auth.guard.internal.Futures;
import dev.latchkey.auth.guard.login.ReservationQueue.Next;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One login on its way past the buckets, once or, if it has to wait, several times.
 *
 * <p>Takes a token of each in turn. Where one is empty and others' reservations of it are open, it gives back what it has and
 * waits at that one: holding nothing, so that nobody waits for a login that waits. When its turn comes it begins anew.
 */
final class LimitAcquisition {

    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    /** A place in the line of one bucket; a new one each time, so that an old one cannot be mistaken for it. */
    final class Place {

        private final LimitLevel level;

        private Place(LimitLevel level) {
            this.level = level;
        }

        void turn() {
            begin(level);
        }
    }

    private final LoginLedger ledger;
    private final HeldTokens login;

    @Nullable
    private final Who found;

    private final long begunAt;
    private final CompletableFuture<Admission> answer = new CompletableFuture<>();
    private final AtomicBoolean patient = new AtomicBoolean();

    @Nullable
    private volatile Place place;

    /**
     * @param login receives the tokens
     * @param found the account, when it was found; null while there is only the name that was sent
     */
    LimitAcquisition(LoginLedger ledger, HeldTokens login, @Nullable Who found) {
        this.ledger = ledger;
        this.login = login;
        this.found = found;
        this.begunAt = ledger.time().nanoTime();
    }

    CompletableFuture<Admission> begin() {
        begin(null);
        return answer;
    }

    private void begin(@Nullable LimitLevel turnAt) {
        Round round = new Round(turnAt, found == null ? login.stepsOfName() : login.stepsOfFound(found));
        if (answer.isDone()) {
            round.end();
        } else {
            round.pass(0);
        }
    }

    private void waitAt(Place newPlace) {
        place = newPlace;
        if (patient.compareAndSet(false, true)) {
            WakeUp end = ledger.time().after(ledger.settings().waiting().longest(), this::loseGround);
            Futures.onEnd(answer, (admission, failure) -> {
                end.cancel();
                leaveLine();
            });
        }
        if (answer.isDone()) {
            leaveLine();
        }
    }

    private void loseGround() {
        Place last = place;
        refuse(last == null ? LoginLimit.WAITING : last.level.bucket().limit(), A_MOMENT);
    }

    private void leaveLine() {
        Place last = place;
        if (last != null) {
            ledger.gate().remove(last.level, last);
        }
    }

    private void refuse(LoginLimit limit, Duration retryAfter) {
        if (found != null) {
            login.refused();
        }
        if (answer.complete(new Admission.Refused(limit, retryAfter))) {
            ledger.refused(limit, waited());
        }
    }

    private Duration waited() {
        return Duration.ofNanos(Math.max(0, ledger.time().nanoTime() - begunAt));
    }

    /** One way past all buckets. Belongs to one thread at a time; what it holds is given back if it does not get through. */
    private final class Round {

        @Nullable
        private final LimitLevel turnAt;

        private final List<LimitStep> steps;
        private final List<LimitLevel> held = new ArrayList<>();
        private boolean turnUsed;

        /** @param turnAt the bucket in whose line this login was the next, if it was in one */
        Round(@Nullable LimitLevel turnAt, List<LimitStep> steps) {
            this.turnAt = turnAt;
            this.steps = steps;
        }

        void pass(int index) {
            if (index == steps.size()) {
                admit();
            } else {
                pass(steps.get(index).level(), index);
            }
        }

        private void pass(LimitLevel level, int index) {
            if (level.equals(turnAt)) {
                turnUsed = true;
                ledger.gate().enter(level);
                ask(level, index);
                return;
            }
            Place newPlace = new Place(level);
            Next next = ledger.gate().arrive(level, newPlace);
            if (next == Next.ASK) {
                ask(level, index);
            } else {
                stop(next, newPlace, A_MOMENT);
            }
        }

        private void ask(LimitLevel level, int index) {
            long returned = ledger.gate().returned(level);
            ledger.take(level).whenComplete((take, failure) -> {
                if (take == null) {
                    fail(level, failure);
                } else if (take.taken()) {
                    held.add(level);
                    pass(index + 1);
                } else {
                    denied(level, index, returned, take.retryAfter());
                }
            });
        }

        private void denied(LimitLevel level, int index, long returned, Duration retryAfter) {
            LimitLevel lane = steps.get(index).insteadIfEmpty();
            Place newPlace = new Place(level);
            List<Place> hopeless = new ArrayList<>();
            Next next = ledger.gate().denied(level, newPlace, returned, hopeless);
            if (next == Next.ASK) {
                ask(level, index);
            } else if (next == Next.GIVE_UP && lane != null && !level.equals(lane)) {
                pass(lane, index);
            } else {
                stop(next, newPlace, retryAfter);
            }
            ledger.turns().give(hopeless);
        }

        private void stop(Next next, Place newPlace, Duration retryAfter) {
            if (next == Next.WAIT) {
                waitAt(newPlace);
            } else {
                refuse(
                        next == Next.TOO_MANY
                                ? LoginLimit.WAITING
                                : newPlace.level.bucket().limit(),
                        retryAfter);
            }
            end();
        }

        private void fail(LimitLevel level, @Nullable Throwable failure) {
            ledger.turns().give(ledger.gate().leave(level));
            end();
            String message = "The store of login limits answered with neither a token nor a refusal";
            answer.completeExceptionally(
                    failure == null
                            ? AuthUnavailableException.outage(message)
                            : AuthUnavailableException.outage(message, failure));
        }

        private void admit() {
            passTurnOn();
            login.admitted(found, held, waited());
            if (!answer.complete(new Admission.Admitted(login)) && found == null) {
                login.settle(AttemptResult.NOT_ATTEMPTED, null);
            }
        }

        /** Gives back what is held, and the turn if it led nowhere: the next may get further. */
        void end() {
            passTurnOn();
            held.forEach(ledger::giveBack);
        }

        private void passTurnOn() {
            if (turnAt != null && !turnUsed) {
                ledger.turns().give(ledger.gate().passOn(turnAt));
            }
        }
    }
}

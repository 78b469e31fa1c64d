package dev.latchkey.auth.spring.pairs;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.GrantReader;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.Verdict;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A login by a PIN alone: the source asks for it, and checks it as a step. */
record Pins(World world) implements LoginSource<Pins.Holder>, LoginStep, GrantReader {

    static final String NAME = "pins";
    static final String GRANT = "urn:example:pin";

    record Holder(String holder) implements Credentials {

        @Override
        public Optional<String> account() {
            return Optional.of(holder);
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Class<Holder> kind() {
        return Holder.class;
    }

    @Override
    public Decision authenticate(Holder holder, RequestContext context) {
        Optional<World.Row> row = world.find(NAME, holder.holder());
        if (row.isEmpty()) {
            return Decision.abstained();
        }
        Decision decision = world.decide(NAME, holder.holder(), row.get().secret());
        return decision instanceof Authenticated login ? Challenged.by(login, "pin") : decision;
    }

    @Override
    public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
        return Optional.empty();
    }

    @Override
    public StepResult answer(ChallengeResponse response, RequestContext context) {
        String name = World.nameIn(response.challenge().soFar().subject().id());
        String pin = response.code()
                .map(code -> code.withText(CharSequence::toString))
                .orElse("");
        return world.find(NAME, name).filter(row -> row.secret().equals(pin)).isPresent()
                ? Passed.step()
                : Rejected.because(RejectionReason.BAD_CREDENTIALS);
    }

    @Override
    public Optional<Verdict> account(String subjectId) {
        return world.account(NAME, subjectId);
    }

    @Override
    public Set<String> grantTypes() {
        return Set.of(GRANT);
    }

    @Override
    public Optional<Credentials> read(String grantType, Map<String, Secret> fields, RequestContext context) {
        return Optional.ofNullable(fields.get("username"))
                .map(name -> new Holder(name.withText(CharSequence::toString)));
    }
}

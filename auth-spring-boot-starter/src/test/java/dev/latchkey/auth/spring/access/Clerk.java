package dev.latchkey.auth.spring.access;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.auth.permission.PermissionSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;

/** Takes any bearer token for the name of its sender, and answers about permissions as a test decides. */
final class Clerk implements LoginSource<BearerToken>, PermissionSource {

    /** What it was asked, as {@code alice r ns:public:config}. */
    final List<String> asked = new CopyOnWriteArrayList<>();

    volatile String thread = "";
    volatile BiFunction<Subject, Permission, Access> answer = (subject, permission) -> Access.ABSTAINED;

    @Override
    public String name() {
        return "clerk";
    }

    @Override
    public Class<BearerToken> kind() {
        return BearerToken.class;
    }

    @Override
    public Decision authenticate(BearerToken credentials, RequestContext context) {
        return Authenticated.as(
                Subject.of(credentials.token().withText(CharSequence::toString)).withAuthorities("ROLE_CLIENT"));
    }

    @Override
    public Access authorize(Subject subject, Permission permission) {
        thread = Thread.currentThread().getName();
        asked.add(subject.id() + " " + permission.action() + " " + permission.resource());
        return answer.apply(subject, permission);
    }

    /** Grants the permissions of a caller that owns the namespaces with the caller's prefix. */
    Clerk granting(String resourcePrefix) {
        answer = (subject, permission) ->
                permission.resource().startsWith(resourcePrefix) ? Access.GRANTED : Access.ABSTAINED;
        return this;
    }

    Clerk failing(RuntimeException failure) {
        answer = (subject, permission) -> {
            throw failure;
        };
        return this;
    }
}

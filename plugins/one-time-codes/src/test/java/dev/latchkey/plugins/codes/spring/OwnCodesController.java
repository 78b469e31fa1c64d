package dev.latchkey.plugins.codes.spring;

import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.plugins.codes.OwnCodes;
import java.security.Principal;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

@RestController
class OwnCodesController {
    private final OwnCodes codes;

    OwnCodesController(OwnCodes codes) {
        this.codes = codes;
    }

    @PostMapping("/my/codes")
    Mono<String> begin(Principal user, @RequestBody Map<String, String> body) {
        PasswordCredentials login = new PasswordCredentials(user.getName(), Secret.of(body.get("password")));
        Map<String, Secret> code = Map.of("code", Secret.of(body.getOrDefault("code", "")));
        return Mono.deferContextual(context -> {
                    CurrentLogin request =
                            context.<CurrentLogin>getOrEmpty(CurrentLogin.class).orElse(CurrentLogin.NONE);
                    return Mono.fromCallable(
                            () -> request.call(() -> codes.begin(user.getName(), login, code, RequestContext.none())));
                })
                .subscribeOn(Schedulers.boundedElastic())
                .map(begun -> begun.orElseThrow(() -> new ResponseStatusException(HttpStatus.FORBIDDEN)))
                .map(begun -> begun.qrCode().withText(CharSequence::toString));
    }
}

package dev.latchkey.plugins.codes.spring;

import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.spring.http.ReactiveWork;
import dev.latchkey.plugins.codes.OwnCodes;
import java.security.Principal;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import reactor.core.publisher.Mono;

@RestController
class OwnCodesController {
    private final OwnCodes codes;
    private final ReactiveWork work;

    OwnCodesController(OwnCodes codes, ReactiveWork work) {
        this.codes = codes;
        this.work = work;
    }

    @PostMapping("/my/codes")
    Mono<String> begin(Principal user, @RequestBody Map<String, String> body) {
        PasswordCredentials login = new PasswordCredentials(user.getName(), Secret.of(body.get("password")));
        Map<String, Secret> code = Map.of("code", Secret.of(body.getOrDefault("code", "")));
        return work.run(() -> codes.begin(user.getName(), login, code, RequestContext.none()))
                .map(begun -> begun.orElseThrow(() -> new ResponseStatusException(HttpStatus.FORBIDDEN)))
                .map(begun -> begun.qrCode().withText(CharSequence::toString));
    }
}

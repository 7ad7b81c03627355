// The environment variables that hold credentials, or name the files that do.
export const SECRET_VARIABLE = /^SLUICE_(USERNAME|PASSWORD|WEBHOOK_SECRET)(_FILE)?$/;

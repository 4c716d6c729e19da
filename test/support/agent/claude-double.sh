#!/bin/sh
# Stands in for the claude CLI where whole services are killed: knows nothing but its prompt and its checkout, and does what
# standard-agent.ts does. A shell script, since a sandbox shows little more than a shell.
prompt=$(cat)
first=${prompt%%
*}
set -f
# shellcheck disable=SC2086
set -- $first
skill=${1#/sluice:}
nonce=$3

good='{"score":0.9,"evidence":"work.txt:1 reads well"}'
case $skill in
issue)
  size=S
  case $prompt in *'(size M)'*) size=M ;; esac
  criteria='[{"text":"The work is done","verify":"file_contains work.txt done","stage":"pre-merge"}]'
  answer='"type":"task","size":"'$size'","reasons":["One file."],"summary":"Do the work.","criteria":'$criteria',"questions":[]'
  ;;
spec)
  answer='"approach":"Write it down.","files":["work.txt","diary.txt"],"steps":[{"text":"Write the file.","criteria":["c1"]}],"risks":[],"size":null,"blocked":null'
  ;;
code)
  if [ -e work.txt ]; then echo 'done and polished' >work.txt; else echo 'done' >work.txt; fi
  echo "$nonce" >>diary.txt
  answer='"title":"Do it","summary":"It is done.","blocked":null'
  ;;
review)
  findings='[{"severity":"MUST","file":"work.txt","line":1,"text":"Polish it."}]'
  case $(cat work.txt) in *polished*) findings='[]' ;; esac
  scores='{"d1":'$good',"d2":'$good',"d3":'$good',"d4":'$good',"d5":'$good',"d6":'$good'}'
  answer='"summary":"Read.","findings":'$findings',"scores":'$scores
  ;;
verify)
  answer='"results":[]'
  ;;
*)
  echo "the double knows no skill $skill" >&2
  exit 1
  ;;
esac

handoff='{"progress":"As planned.","files":["work.txt"],"testStatus":"not-run","decisions":["Keep it small.","One file."],"openErrors":[]}'
echo '{"type":"system","subtype":"init","session_id":"double","model":"claude-double"}'
echo '{"type":"result","subtype":"success","is_error":false,"num_turns":1,"total_cost_usd":0,"result":"done","structured_output":{"nonce":"'"$nonce"'","handoff":'"$handoff","$answer"'}}'
